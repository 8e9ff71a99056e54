import { jwtMaxTtl } from '../catalogue/resources.sql.ts';
import { profileScopes, revealedProfile } from '../lib/profile.ts';
import { descriptions } from '../oauth/token/token-refusal.ts';
import { authorizationEndpoint, calledEndpoints } from '../web/endpoints.ts';
import { apiId, exampleId, exampleOrigin, exampleRegistration, laidOut } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalFact, PortalProgram, PortalSection, PortalSentence } from './portal.view.ts';
import { type Chapter, duration, pageAt, say, term } from './words.ts';

/** The messages of a flow, with the values of this server; a test compares their members with real answers. */
export const messages: Chapter = {
  path: '/developer/messages',
  title: 'portal.messages',
  about: 'portal.messages.about',
  sections: (facts) => [
    authorizationRequest(facts),
    tokenRequest(facts),
    refreshRequest(facts),
    profile(facts),
    {
      heading: say('portal.messages.more'),
      bullets: [
        say('portal.messages.introspection', { page: pageAt(facts, '/developer/api') }),
        say('portal.messages.revocation', { page: pageAt(facts, '/developer/sign-out') }),
        say('portal.messages.errors', { page: pageAt(facts, '/developer/errors') }),
      ],
    },
  ],
};

/** Some moment. */
export const iat = 1_790_000_000;
export const exampleRedirectUri = `${exampleOrigin}/callback`;
const redirect_uri = exampleRedirectUri;
const codeOf = (name: string) => `lk_${name}_…`;

/** A request with a line for each field, as the RFCs print forms. */
export const form = (id: string, address: string, fields: Record<string, string>): PortalProgram => ({
  id,
  label: say('portal.request'),
  name: `POST ${address}`,
  about: [],
  text: `Content-Type: application/x-www-form-urlencoded\n\n${Object.entries(fields)
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
const exchange = (request: PortalProgram, response: PortalProgram) => ({
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

export function authorizationExample(facts: Facts, changes: Record<string, string> = {}): PortalProgram {
  const query = {
    ...{ response_type: 'code', client_id: exampleId, redirect_uri, scope: exampleRegistration(facts).scope },
    ...{ state: 'STATE', code_challenge: 'CHALLENGE', code_challenge_method: 'S256' },
    ...changes,
  };
  const address = authorizationEndpoint(facts);
  return {
    id: 'authorization-request',
    label: say('portal.request'),
    name: `GET ${address}`,
    about: [],
    text: addressLines(`${address}?${new URLSearchParams(query)}`),
  };
}

/** When a request needs a parameter that others do without. */
const needs = {
  redirect_uri: say('portal.required_several'),
  code_challenge: say('portal.required_public'),
  code_challenge_method: say('portal.required_public'),
  code_verifier: say('portal.required_public'),
  client_secret: say('portal.required_confidential'),
};

/** The parameters of a request, those that it needs before the others. */
function parameters(
  required: Record<string, PortalSentence>,
  optional: Record<string, PortalSentence>,
  demands: Record<string, PortalSentence> = needs,
): PortalFact[] {
  const rows = (names: Record<string, PortalSentence>, is_required: boolean) =>
    Object.entries(names).map(([name, about]) => ({
      ...{ name: term(name), about: [about] },
      is_required: demands[name] ?? is_required,
    }));
  return [...rows(required, true), ...rows(optional, false)];
}

const always = (code: string) => say('portal.messages.response_type', { code });
const clientId = { client_id: say('portal.messages.client_id') };
const clientSecret = { client_secret: say('portal.messages.secret', { id: 'client_id', secret: 'client_secret' }) };

function authorizationRequest(facts: Facts): PortalSection {
  const [one = '', two = ''] = facts.acr_names;
  const required = {
    response_type: always('code'),
    ...clientId,
    redirect_uri: say('portal.messages.registered'),
    code_challenge: say('portal.messages.challenge', { verifier: 'code_verifier' }),
    code_challenge_method: always('S256'),
  };
  const optional = {
    scope: say('portal.messages.requested'),
    authorization_details: say('portal.messages.details', { page: pageAt(facts, '/developer/choices') }),
    state: say('portal.messages.state'),
    prompt: say('portal.messages.prompt', {
      ...{ none: 'none', login: 'login', consent: 'consent', select_account: 'select_account' },
      errors: 'login_required, consent_required',
    }),
    login_hint: say('portal.messages.login_hint'),
    ui_locales: say('portal.messages.ui_locales', { language: 'de' }),
    max_age: say('portal.messages.max_age', { now: '0' }),
    acr_values: say('portal.messages.acr_values', { one, two, error: 'unmet_authentication_requirements' }),
    resource: say('portal.messages.resource', { page: pageAt(facts, '/developer/reference') }),
    response_mode: say('portal.messages.response_mode', { form: 'form_post' }),
  };
  return {
    heading: say('portal.messages.authorize'),
    sentences: [
      say('portal.messages.authorize_text', {
        ...{ answer: 'code, state, iss', error: 'error, state, iss' },
        ...{ state: 'state', iss: 'iss', issuer: facts.issuer },
      }),
    ],
    remarks: [
      say('portal.messages.push', { page: pageAt(facts, '/developer/stronger-security') }),
      say('portal.messages.lines'),
    ],
    facts: parameters(required, optional),
    ...exchange(authorizationExample(facts), {
      id: 'authorization-answer',
      label: say('portal.response'),
      name: statusLine(302),
      about: [],
      text: addressLines(
        `Location: ${redirect_uri}?code=${codeOf('ac')}&state=STATE&iss=${encodeURIComponent(facts.issuer)}`,
      ),
    }),
  };
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

/** What a token request can narrow. */
const part = 'resource, authorization_details';

function tokenRequest(facts: Facts): PortalSection {
  return {
    heading: say('portal.messages.token'),
    sentences: [say('portal.messages.authenticate')],
    remarks: [
      say('portal.messages.granted', { scope: 'scope' }),
      say('portal.messages.once', { refresh_token: 'refresh_token', member: 'authorization_expires_in' }),
    ],
    facts: parameters(
      {
        grant_type: always('authorization_code'),
        code: say('portal.messages.code', { time: duration(facts.authorization_code_ttl) }),
        redirect_uri: say('portal.messages.same_uri'),
        ...clientId,
        code_verifier: say('portal.messages.verifier', { challenge: 'code_challenge' }),
        ...clientSecret,
      },
      { [part]: say('portal.messages.part') },
      { ...needs, redirect_uri: say('portal.required_sent') },
    ),
    ...exchange(tokenExample(facts), answer('token-answer', 200, tokenAnswer(facts))),
  };
}

export const keepTokens = say('portal.keep', {
  ...{ many: '429', away: '503', header: 'Retry-After', error: 'invalid_grant' },
});

function refreshRequest(facts: Facts): PortalSection {
  const { token_endpoint } = calledEndpoints(facts);
  const fields = { grant_type: 'refresh_token', refresh_token: codeOf('rt'), client_id: exampleId };
  return {
    heading: say('portal.messages.refresh'),
    sentences: [
      say('portal.refresh', { grace: duration(facts.refresh_grace) }),
      say('portal.messages.reuse', { error: 'invalid_grant' }),
      keepTokens,
    ],
    facts: parameters(
      {
        ...{ grant_type: always('refresh_token'), refresh_token: say('portal.messages.latest') },
        ...clientId,
        ...clientSecret,
      },
      { [`scope, ${part}`]: say('portal.messages.narrow') },
    ),
    ...exchange(form('refresh-request', token_endpoint, fields), answer('refresh-answer', 200, tokenAnswer(facts))),
  };
}

const person = { name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true };

export const profileAnswer = { id: 1, sub: '1', username: 'ada', ...revealedProfile(person, profileScopes) };

export const profileExample = (facts: Facts): PortalProgram => ({
  id: 'user-request',
  label: say('portal.request'),
  name: `GET ${calledEndpoints(facts).userinfo_endpoint}`,
  about: [],
  text: `Authorization: Bearer ${codeOf('at')}`,
});

const profile = (facts: Facts): PortalSection => ({
  heading: say('portal.messages.user'),
  sentences: [
    say('portal.messages.user_text', { always: 'id, sub', page: pageAt(facts, '/developer/reference') }),
    say('portal.messages.email', {
      ...{ email: 'email', null: 'null', verified: 'email_verified', false: 'false', name: 'name' },
    }),
  ],
  ...exchange(profileExample(facts), answer('user-answer', 200, profileAnswer)),
});

/** The API of the examples, as it is registered. */
export const exampleResource = 'https://api.example';

/** What an API learns of a token for it, but no username without the scope for that. */
export const introspectionAnswer = (facts: Facts) => ({
  active: true,
  scope: 'SCOPE',
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

export const introspection = (facts: Facts) =>
  exchange(
    form('introspection-request', calledEndpoints(facts).introspection_endpoint, {
      ...{ token: codeOf('at'), client_id: apiId, client_secret: codeOf('cs') },
    }),
    answer('introspection-answer', 200, introspectionAnswer(facts)),
  );

export const revocation = (facts: Facts) =>
  exchange(
    form('revocation-request', calledEndpoints(facts).revocation_endpoint, {
      ...{ token: codeOf('rt'), client_id: exampleId },
    }),
    answer('revocation-answer', 200, {}),
  );

/** How its reader sees that the API of a program works. */
export const triesApi = (path: string): PortalSentence =>
  say('portal.api.try', { path, header: 'Authorization: Bearer lk_at_…', status: statusLine(401) });

/** The answer of all addresses for programs with a status of 4xx or 5xx. */
export const refusalAnswer = ({ issuer }: Facts) => ({
  error: 'invalid_grant',
  error_description: descriptions.invalid_grant,
  error_uri: `${issuer}/errors/invalid_grant`,
  request_id: '…',
});

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
  scope: 'SCOPE',
});

export const signedExample = (facts: Facts): PortalProgram => ({
  ...answer('signed-token', 200, signedToken(facts), say('portal.lifetimes.signed')),
  name: 'at+jwt',
});
