import { jwtMaxTtl } from '../catalogue/resources.sql.ts';
import { profileScopes, revealedProfile } from '../lib/profile.ts';
import { descriptions } from '../oauth/token/token-refusal.ts';
import { authorizationEndpoint, calledEndpoints } from '../web/endpoints.ts';
import { apiId, exampleId, exampleOrigin, exampleRegistration, laidOut } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalProgram, PortalSentence } from './portal.view.ts';
import { say } from './words.ts';

// Requests and responses as the chapters show them; tests compare their members with real answers.

/** Some moment. */
export const iat = 1_790_000_000;
export const redirect_uri = `${exampleOrigin}/callback`;
export const codeOf = (name: string) => `lk_${name}_…`;

/** A request with a line for each field, as the RFCs print forms. */
export const form = (id: string, address: string, fields: Record<string, string>, header?: string): PortalProgram => ({
  id,
  label: say('portal.request'),
  name: `POST ${address}`,
  about: [],
  text: `Content-Type: application/x-www-form-urlencoded\n${header ? `${header}\n` : ''}\n${Object.entries(fields)
    .map(([name, value]) => `${name}=${/^lk_\w+_…$/.test(value) ? value : encodeURIComponent(value)}`)
    .join('\n&')}`,
});

/** The reason phrases of the statuses in examples [9110 §15]. */
const statusNames = {
  200: 'OK',
  201: 'Created',
  302: 'Found',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  503: 'Service Unavailable',
} as const;

type Status = keyof typeof statusNames;

export const statusLine = (status: Status) => `${status} ${statusNames[status]}`;

/** A request and its response, which stand side by side. */
export const exchange = (request: PortalProgram, response: PortalProgram) => ({
  programs: [request, response],
  is_exchange: true,
});

export const answer = (
  id: string,
  status: Status,
  members: object,
  label: PortalSentence = say('portal.response'),
): PortalProgram => ({ id, label, name: statusLine(status), about: [], text: laidOut(members) });

/** An address with a line for each parameter; browsers leave out the line breaks. */
export const addressLines = (address: string) => address.replaceAll('&', '\n&');

export const authorizationFields = (facts: Facts) => ({
  ...{ response_type: 'code', client_id: exampleId, redirect_uri, scope: exampleRegistration(facts).scope },
  ...{ state: 'STATE', code_challenge: 'CHALLENGE', code_challenge_method: 'S256' },
});

export const authorizationExample = (facts: Facts, changes: Record<string, string> = {}): PortalProgram =>
  opened('authorization-request', facts, `${new URLSearchParams({ ...authorizationFields(facts), ...changes })}`);

/** The request of a browser that is sent to this server. */
export function opened(id: string, facts: Facts, query: string): PortalProgram {
  const address = authorizationEndpoint(facts);
  const name = `GET ${address}`;
  return { id, label: say('portal.request'), name, about: [], text: addressLines(`${address}?${query}`) };
}

export const tokenAnswer = (facts: Facts) => ({
  access_token: codeOf('at'),
  token_type: 'Bearer',
  expires_in: facts.access_token_ttl,
  refresh_token: codeOf('rt'),
  refresh_token_expires_in: facts.refresh_token_ttl,
  scope: exampleRegistration(facts).scope,
});

export const tokenFields = {
  ...{ grant_type: 'authorization_code', code: codeOf('ac'), redirect_uri },
  ...{ client_id: exampleId, code_verifier: 'VERIFIER' },
};

export const tokenExample = (facts: Facts): PortalProgram =>
  form('token-request', calledEndpoints(facts).token_endpoint, tokenFields);

const person = { name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true };

export const profileAnswer = { id: 1, sub: '1', username: 'ada', ...revealedProfile(person, profileScopes) };

export const profileExample = (facts: Facts): PortalProgram => ({
  id: 'user-request',
  label: say('portal.request'),
  name: `GET ${calledEndpoints(facts).userinfo_endpoint}`,
  about: [],
  text: `Authorization: Bearer ${codeOf('at')}`,
});

/** The API of the examples, as it is registered, and its scope. */
export const exampleResource = 'https://api.example';
export const apiScope = 'photos:read';

/** What an API learns of a token for it, but no username without the scope for that. */
export const introspectionAnswer = (facts: Facts) => ({
  active: true,
  scope: apiScope,
  client_id: exampleId,
  token_type: 'Bearer',
  exp: iat + facts.access_token_ttl,
  iat,
  sub: profileAnswer.sub,
  iss: facts.issuer,
  acr: facts.acr_names[0],
  auth_time: iat,
  aud: exampleResource,
});

/** An API asks with its own credentials, and learns of a token for it. */
export const introspection = (
  facts: Facts,
  { asking, ...learnt }: { asking: string; aud?: string; scope?: string } = { asking: apiId },
) =>
  exchange(
    form('introspection-request', calledEndpoints(facts).introspection_endpoint, {
      ...{ token: codeOf('at'), client_id: asking, client_secret: codeOf('cs') },
    }),
    answer('introspection-answer', 200, { ...introspectionAnswer(facts), ...learnt }),
  );

export const revocation = (facts: Facts) =>
  exchange(
    form('revocation-request', calledEndpoints(facts).revocation_endpoint, {
      ...{ token: codeOf('rt'), client_id: exampleId },
    }),
    answer('revocation-answer', 200, {}),
  );

/** The answer of all addresses for programs with a status of 4xx or 5xx. */
export const refusalAnswer = (
  { issuer }: Facts,
  error: string = 'invalid_grant',
  error_description = descriptions.invalid_grant,
) => ({ error, error_description, error_uri: `${issuer}/errors/${error}`, request_id: '…' });

export const refusalExample = (facts: Facts): PortalProgram => answer('refusal-answer', 400, refusalAnswer(facts));

/** What is in a signed access token of a resource [9068]. */
export const signedToken = (facts: Facts) => ({
  iss: facts.issuer,
  aud: exampleResource,
  sub: profileAnswer.sub,
  client_id: exampleId,
  jti: '…',
  iat,
  exp: iat + Math.min(facts.access_token_ttl, jwtMaxTtl),
  acr: facts.acr_names[0],
  auth_time: iat,
  scope: apiScope,
});

export const signedExample = (facts: Facts): PortalProgram => ({
  ...answer('signed-token', 200, signedToken(facts), say('portal.lifetimes.signed')),
  name: 'at+jwt',
  text: `${JSON.stringify({ alg: 'ES256', kid: '…', typ: 'at+jwt' })}\n.\n${laidOut(signedToken(facts))}`,
});

/** How its reader sees that the API of a program works. */
export const triesApi = (path: string): PortalSentence =>
  say('portal.api.try', { path, header: 'Authorization: Bearer lk_at_…', status: statusLine(401) });
