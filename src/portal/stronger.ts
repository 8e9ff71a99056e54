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
import { type Chapter, pageAt, plain, say } from './words.ts';

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
        facts: [
          ...measures.map(({ heading, use }, at) => ({
            name: { ...heading, href: `${facts.base}/developer/stronger-security#part-${at + 1}` },
            about: [use],
          })),
          {
            name: { ...say('portal.dpop'), href: `${facts.base}/developer/dpop` },
            about: [say('portal.stronger.dpop_use')],
          },
        ],
        remarks: [
          say('portal.stronger.placeholders', {
            ...{ jwt: 'JWT', jti: 'JTI', key: 'KEY', kid: 'kid', rest: 'STATE, CHALLENGE, VERIFIER' },
            page: pageAt(facts, '/developer/messages'),
          }),
        ],
      },
      ...measures.map(({ use, ...section }) => section),
    ];
  },
};

/** A section, with what the measure is good for. */
type Measure = PortalSection & { heading: PortalSentence; use: PortalSentence };

const measuresOf = (facts: Facts): Measure[] =>
  [byKey(facts), byCertificate(facts), pushes(facts), signs(facts), fapi(facts)].filter(
    (measure) => measure !== undefined,
  );

/** A JWT before it is signed; a line between its header and its claims has the point that stands there. */
export const jwt = (id: string, name: string, header: object, claims: object): PortalProgram => ({
  ...{ id, name, about: [] },
  label: say('portal.stronger.jwt'),
  text: `${laidOut(header)}\n.\n${laidOut(claims)}`,
});

const header = { alg: 'ES256', kid: 'KEY' };
const lifetime = 60;
export const algorithms = 'ES256, PS256, EdDSA, Ed25519';

/** Makes a key pair, without any library; a test signs with it. */
const keyMaker: PortalProgram = {
  ...{ id: 'key-pair', name: 'Node', file: 'make-key.mjs', about: [] },
  text: `// node make-key.mjs
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";

const curve = { namedCurve: "P-256" };
const { privateKey, publicKey } = generateKeyPairSync("ec", curve);
const pem = privateKey.export({ type: "pkcs8", format: "pem" });
writeFileSync("private.pem", pem, { mode: 0o600 });
const jwk = publicKey.export({ format: "jwk" });
const key = { ...jwk, kid: randomUUID(), use: "sig", alg: "ES256" };
console.log(JSON.stringify({ keys: [key] }, null, 2));`,
};

const byKey = (facts: Facts): Measure => ({
  heading: say('portal.stronger.key'),
  use: say('portal.stronger.key_use'),
  sentences: [
    say('portal.stronger.key_text', {
      ...{ method: 'private_key_jwt', paths: '/token, /par, /introspect, /revoke', algorithms },
      ...{ jti: 'jti', exp: 'exp' },
    }),
    say('portal.stronger.key_made', { kid: 'kid', file: 'private.pem', jwks_uri: 'jwks_uri' }),
    ...(comeByThemselves(facts) ? [say('portal.register.audience', { aud: 'aud', issuer: facts.issuer })] : []),
    say(comeByThemselves(facts) ? 'portal.stronger.rs256_strangers' : 'portal.stronger.rs256', { alg: 'RS256' }),
  ],
  programs: [
    keyMaker,
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
        ...{ par, client_id: 'client_id', request_uri: 'request_uri', time: plain(pushedRequestTtl) },
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

const fapi = (facts: Facts): Measure => ({
  heading: say('portal.stronger.fapi'),
  use: say('portal.stronger.fapi_use'),
  sentences: [say('portal.stronger.fapi_text')],
  bullets: [
    say('portal.stronger.fapi_method', { aud: 'aud', issuer: facts.issuer, alg: 'RS256' }),
    say('portal.stronger.fapi_requests', { redirect_uri: 'redirect_uri' }),
    say('portal.stronger.fapi_tokens', { page: pageAt(facts, '/developer/dpop') }),
    say('portal.stronger.fapi_code', { time: plain(60) }),
  ],
});
