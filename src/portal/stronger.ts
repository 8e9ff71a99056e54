import { assertionType } from '../lib/client-assertion.ts';
import { pushedRequestTtl } from '../oauth/authorize/pushed-request.ts';
import { listPath } from '../registration/console/path.ts';
import { shell } from '../registration/console/source-text.ts';
import { calledEndpoints } from '../web/endpoints.ts';
import { answer, authorizationFields, form, iat, opened, tokenFields } from './example-messages.ts';
import { exampleId, laidOut } from './examples.ts';
import type { Facts } from './facts.ts';
import { comeByThemselves } from './mcp-server.ts';
import type { PortalProgram, PortalSection, PortalSentence } from './portal.view.ts';
import { type Chapter, duration, pageAt, say } from './words.ts';

/** What makes a stolen secret, request or token useless: each by itself, and FAPI 2.0, which wants most of it together. */
export const stronger: Chapter = {
  path: '/developer/stronger-security',
  title: 'portal.stronger',
  about: 'portal.stronger.about',
  sections: (facts) => {
    const measures = measuresOf(facts);
    return [
      {
        sentences: [
          say('portal.stronger.settings', { console: pageAt(facts, listPath) }),
          say('portal.stronger.first'),
        ],
        facts: measures.map(({ heading, use }, at) => ({
          name: { ...heading, href: `${facts.base}/developer/stronger-security#part-${at + 1}` },
          about: [use],
        })),
      },
      ...measures.map(({ use, ...section }) => section),
    ];
  },
};

/** A section, with what the measure is good for. */
type Measure = PortalSection & { heading: PortalSentence; use: PortalSentence };

const measuresOf = (facts: Facts): Measure[] =>
  [byKey(facts), byCertificate(facts), pushes(facts), signs(facts), binds(facts), fapi(facts)].filter(
    (measure) => measure !== undefined,
  );

/** A JWT before it is signed; a line between its header and its claims has the point that stands there. */
const jwt = (id: string, name: string, header: object, claims: object): PortalProgram => ({
  ...{ id, name, about: [] },
  label: say('portal.stronger.jwt'),
  text: `${laidOut(header)}\n.\n${laidOut(claims)}`,
});

/** The header of a request that has a proof. */
const proved = 'DPoP: JWT';

const header = { alg: 'ES256', kid: 'KEY' };
const lifetime = 60;
const algorithms = 'ES256, PS256, EdDSA, Ed25519';

const byKey = (facts: Facts): Measure => ({
  heading: say('portal.stronger.key'),
  use: say('portal.stronger.key_use'),
  sentences: [
    say('portal.stronger.key_text', {
      ...{ method: 'private_key_jwt', paths: '/token, /par, /introspect, /revoke', algorithms },
      ...{ jti: 'jti', exp: 'exp' },
    }),
    say('portal.stronger.rs256', { alg: 'RS256' }),
    ...(comeByThemselves(facts) ? [say('portal.stronger.rs256_strangers', { alg: 'RS256' })] : []),
  ],
  programs: [
    jwt('assertion', 'client_assertion', header, {
      ...{ iss: exampleId, sub: exampleId, aud: facts.issuer, jti: 'JTI', iat, exp: iat + lifetime },
    }),
    form('assertion-request', calledEndpoints(facts).token_endpoint, {
      ...{ grant_type: tokenFields.grant_type, client_assertion_type: assertionType, client_assertion: 'JWT' },
      ...tokenFields,
    }),
  ],
});

function byCertificate(facts: Facts): Measure | undefined {
  const methods = facts.methods.filter((name) => name.endsWith('tls_client_auth'));
  if (methods.length === 0) return undefined;
  return {
    heading: say('portal.stronger.certificate'),
    use: say('portal.stronger.certificate_use'),
    sentences: [
      say('portal.stronger.certificate_text', {
        ...{ methods: methods.join(', '), client_id: 'client_id', aliases: 'mtls_endpoint_aliases' },
      }),
      say('portal.stronger.certificate_binds', {
        ...{ token_type: 'token_type', bearer: 'Bearer', cnf: 'cnf', member: 'x5t#S256' },
      }),
    ],
    programs: [
      {
        ...{ id: 'certificate-request', name: 'curl', about: [] },
        text: shell`curl -sS --cert certificate.pem --key key.pem \\
  ${calledEndpoints(facts).token_endpoint} \\
  -d grant_type=refresh_token -d ${`client_id=${exampleId}`} \\
  --data-urlencode "refresh_token=$REFRESH_TOKEN"`.text,
      },
    ],
  };
}

const requestUri = 'urn:ietf:params:oauth:request_uri:…';

function pushes(facts: Facts): Measure {
  const { pushed_authorization_request_endpoint: par } = calledEndpoints(facts);
  return {
    heading: say('portal.stronger.par'),
    use: say('portal.stronger.par_use'),
    sentences: [
      say('portal.stronger.par_text', {
        ...{ par, client_id: 'client_id', request_uri: 'request_uri', time: duration(pushedRequestTtl) },
      }),
    ],
    programs: [
      form('par-request', par, { ...authorizationFields(facts), client_secret: 'lk_cs_…' }),
      answer('par-answer', 201, { request_uri: requestUri, expires_in: pushedRequestTtl }),
      opened('par-authorize', facts, `client_id=${exampleId}&request_uri=${requestUri}`),
    ],
  };
}

const signs = (facts: Facts): Measure => ({
  heading: say('portal.stronger.signed'),
  use: say('portal.stronger.signed_use'),
  sentences: [
    say('portal.stronger.signed_text', {
      ...{ request: 'request', exp: 'exp', nbf: 'nbf', path: '/par', algorithms },
    }),
  ],
  programs: [
    jwt(
      'request-object',
      'request',
      { ...header, typ: 'oauth-authz-req+jwt' },
      {
        ...{ iss: exampleId, aud: facts.issuer, nbf: iat, exp: iat + lifetime },
        ...authorizationFields(facts),
      },
    ),
    form('signed-request', calledEndpoints(facts).pushed_authorization_request_endpoint, {
      ...{ client_id: exampleId, request: 'JWT', client_assertion_type: assertionType, client_assertion: 'JWT' },
    }),
  ],
});

const binds = (facts: Facts): Measure => ({
  heading: say('portal.dpop'),
  use: say('portal.stronger.dpop_use'),
  sentences: [
    say('portal.endpoints.dpop', { header: 'DPoP', token_type: 'token_type' }),
    say('portal.stronger.proof', {
      ...{ htm: 'htm', htu: 'htu', jti: 'jti', iat: 'iat', jwk: 'jwk', algorithms },
    }),
    say('portal.stronger.code', { dpop_jkt: 'dpop_jkt' }),
    say('portal.endpoints.call', { authorization: 'Authorization: DPoP lk_at_…', ath: 'ath' }),
    ...(facts.dpop_nonce ? [say('portal.endpoints.nonce', { header: 'DPoP-Nonce', error: 'use_dpop_nonce' })] : []),
    ...(facts.demo ? [say('portal.begin.demo', { playground: pageAt(facts, '/playground') })] : []),
  ],
  programs: [
    jwt(
      'dpop-proof',
      'DPoP',
      { alg: 'ES256', typ: 'dpop+jwt', jwk: { kty: 'EC', crv: 'P-256', x: '…', y: '…' } },
      {
        ...{ htm: 'POST', htu: calledEndpoints(facts).token_endpoint, jti: 'JTI', iat },
        ...(facts.dpop_nonce && { nonce: 'NONCE' }),
      },
    ),
    form('bound-request', calledEndpoints(facts).token_endpoint, tokenFields, proved),
  ],
});

const fapi = (facts: Facts): Measure => ({
  heading: say('portal.stronger.fapi'),
  use: say('portal.stronger.fapi_use'),
  sentences: [say('portal.stronger.fapi_text')],
  bullets: [
    say('portal.stronger.fapi_method', { aud: 'aud', issuer: facts.issuer, alg: 'RS256' }),
    say('portal.stronger.fapi_requests', { redirect_uri: 'redirect_uri' }),
    say('portal.stronger.fapi_tokens'),
    say('portal.stronger.fapi_code', { time: duration(60) }),
  ],
});
