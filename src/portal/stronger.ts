import { pushedRequestTtl } from '../oauth/authorize/pushed-request.ts';
import { listPath } from '../registration/console/path.ts';
import { calledEndpoints } from '../web/endpoints.ts';
import type { TextKey } from '../web/texts.ts';
import {
  algorithms,
  authenticated,
  clientAuthentication,
  hasCertificates,
  keyFile,
  printsAssertion,
} from './client-authentication.ts';
import { answer, authorizationFields, form, opened, redirect_uri } from './example-messages.ts';
import { exampleId, exampleRegistration } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalFact, PortalProgram, PortalSection, PortalSentence } from './portal.view.ts';
import { type Chapter, errorAt, linked, pageAt, plain, say, sectionAt } from './words.ts';

/** What makes a stolen secret, request or token useless: each by itself, and FAPI 2.0, which wants most of it together. */
export const stronger: Chapter = {
  path: '/developer/stronger-security',
  title: 'portal.stronger',
  about: 'portal.stronger.about',
  sections: (facts) => [
    elsewhere(facts),
    here(facts),
    hasCertificates(facts) ? binds(facts) : undefined,
    pushes(facts),
    signs(facts),
    fapi(facts),
  ],
};

/** The sections of this page, each with what the measure is good for; the first needs certificates. */
const measures = [
  { heading: 'portal.stronger.bind', use: 'portal.stronger.bind_use' },
  { heading: 'portal.stronger.par', use: 'portal.stronger.par_use' },
  { heading: 'portal.stronger.signed', use: 'portal.stronger.signed_use' },
  { heading: 'portal.stronger.fapi', use: 'portal.stronger.fapi_use' },
] as const;

/** A row about a measure that a section explains. */
const sectionRow = (facts: Facts, chapter: Chapter, heading: TextKey, use: TextKey): PortalFact =>
  row({ ...say(heading), href: sectionAt(facts, chapter, heading).href }, say(use));

const row = (name: PortalSentence, use: PortalSentence): PortalFact => ({ name, about: [use] });

/** The measures that have other pages, and what each is good for. */
const elsewhere = (facts: Facts): PortalSection => ({
  sentences: [
    say('portal.stronger.first'),
    say('portal.stronger.settings', { console: pageAt(facts, listPath) }),
    say('portal.stronger.elsewhere'),
  ],
  facts: [
    sectionRow(facts, clientAuthentication, 'portal.client.key', 'portal.stronger.key_use'),
    ...(hasCertificates(facts)
      ? [sectionRow(facts, clientAuthentication, 'portal.client.certificate', 'portal.stronger.certificate_use')]
      : []),
    row({ ...say('portal.dpop'), href: `${facts.base}/developer/dpop` }, say('portal.stronger.dpop_use')),
  ],
});

const here = (facts: Facts): PortalSection => ({
  sentences: [say('portal.stronger.here')],
  facts: measures
    .slice(hasCertificates(facts) ? 0 : 1)
    .map(({ heading, use }) => sectionRow(facts, stronger, heading, use)),
});

const binds = (facts: Facts): PortalSection => ({
  heading: say('portal.stronger.bind'),
  sentences: [
    say('portal.stronger.bind_text', { token_type: 'token_type', bearer: 'Bearer' }),
    say('portal.stronger.bind_call', { page: sectionAt(facts, clientAuthentication, 'portal.client.certificate') }),
    say('portal.stronger.bind_check', { cnf: 'cnf.x5t#S256' }),
    say('portal.stronger.bind_refused', { error: errorAt(facts, 'invalid_token') }),
  ],
});

const requestJwt = 'REQUEST_JWT';
const requestUri = 'urn:ietf:params:oauth:request_uri:…';

const keySection = (facts: Facts) => sectionAt(facts, clientAuthentication, 'portal.client.key');

function pushes(facts: Facts): PortalSection {
  const { pushed_authorization_request_endpoint: par } = calledEndpoints(facts);
  return {
    heading: say('portal.stronger.par'),
    sentences: [
      say('portal.stronger.placeholder', {
        ...{ assertion: authenticated.client_assertion, command: printsAssertion, page: keySection(facts) },
      }),
    ],
    steps: [
      {
        ...say('portal.stronger.par_push', { par, client_id: 'client_id' }),
        program: form('par-request', par, { ...authorizationFields(facts), ...authenticated }),
        answer: answer('par-answer', 201, { request_uri: requestUri, expires_in: pushedRequestTtl }),
      },
      {
        ...say('portal.stronger.par_open', {
          ...{ client_id: 'client_id', request_uri: 'request_uri', time: plain(pushedRequestTtl) },
        }),
        program: opened('par-authorize', facts, `client_id=${exampleId}&request_uri=${requestUri}`),
      },
      say('portal.stronger.par_redeem', {
        ...{ state: 'STATE', challenge: 'CHALLENGE', page: pageAt(facts, '/developer/messages') },
      }),
    ],
    errors: [
      {
        name: errorAt(facts, 'invalid_request'),
        about: [say('portal.stronger.refused_request', { description: 'error_description' })],
      },
      { name: errorAt(facts, 'invalid_request_uri'), about: [say('portal.stronger.refused_uri')] },
    ],
  };
}

const signs = (facts: Facts): PortalSection => ({
  heading: say('portal.stronger.signed'),
  sentences: [say('portal.stronger.signed_text')],
  steps: [
    say('portal.stronger.signed_key', { page: keySection(facts) }),
    {
      ...say('portal.stronger.signed_make', { file: keyFile, jwt: requestJwt }),
      program: requestProgram(facts),
    },
    {
      ...say('portal.stronger.signed_push', { jwt: requestJwt, request: 'request' }),
      program: form('signed-request', calledEndpoints(facts).pushed_authorization_request_endpoint, {
        ...{ client_id: exampleId, request: requestJwt, ...authenticated },
      }),
    },
  ],
  remarks: [say('portal.stronger.signed_limits', { ...algorithms, exp: 'exp', nbf: 'nbf', jti: 'jti' })],
  errors: [
    {
      name: errorAt(facts, 'invalid_request_object'),
      about: [say('portal.stronger.refused_object', { request: 'request', jti: 'jti' })],
    },
  ],
});

/** Signs a request by the key of the other program. */
const requestProgram = (facts: Facts): PortalProgram => ({
  ...{ id: 'request-program', name: 'Node', file: 'request.mjs', about: [] },
  text: `// STATE=… CHALLENGE=… node request.mjs
import { randomUUID } from "node:crypto";
import { env } from "node:process";
import { client_id, sign } from "./${keyFile}";

const nbf = Math.floor(Date.now() / 1000);
const claims = {
  iss: client_id,
  aud: ${JSON.stringify(facts.issuer)},
  jti: randomUUID(),
  nbf,
  exp: nbf + 300,
  response_type: "code",
  client_id,
  redirect_uri: "${redirect_uri}",
  scope: ${JSON.stringify(exampleRegistration(facts).scope)},
  state: env.STATE,
  code_challenge: env.CHALLENGE,
  code_challenge_method: "S256",
};
console.log(sign({ typ: "oauth-authz-req+jwt" }, claims));`,
});

const specification = 'https://openid.net/specs/fapi-security-profile-2_0-final.html';

/** What the profile demands, as steps of which all but the last work without it. */
const fapi = (facts: Facts): PortalSection => ({
  heading: say('portal.stronger.fapi'),
  sentences: [say('portal.stronger.fapi_text'), say('portal.stronger.fapi_spec', { spec: linked(specification) })],
  steps: [
    say('portal.stronger.fapi_redirect', { redirect_uri: 'redirect_uri', page: pageAt(facts, '/developer/register') }),
    say('portal.stronger.fapi_key', {
      ...{ page: pageAt(facts, clientAuthentication.path), ...algorithms, aud: 'aud', issuer: facts.issuer },
    }),
    say('portal.stronger.fapi_push', {
      challenge: 'code_challenge',
      page: sectionAt(facts, stronger, 'portal.stronger.par'),
    }),
    hasCertificates(facts)
      ? say('portal.stronger.fapi_bind_any', {
          page: pageAt(facts, '/developer/dpop'),
          certificate: sectionAt(facts, stronger, 'portal.stronger.bind'),
        })
      : say('portal.stronger.fapi_bind', { page: pageAt(facts, '/developer/dpop') }),
    say('portal.stronger.fapi_code', {
      time: plain(Math.min(60, facts.authorization_code_ttl)),
      page: pageAt(facts, '/developer/messages'),
    }),
    say('portal.stronger.fapi_refresh'),
    say(hasCertificates(facts) ? 'portal.stronger.fapi_choose_any' : 'portal.stronger.fapi_choose', {
      console: pageAt(facts, listPath),
    }),
  ],
});
