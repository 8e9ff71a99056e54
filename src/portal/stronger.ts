import { assertionType } from '../lib/client-assertion.ts';
import { pushedRequestTtl } from '../oauth/authorize/pushed-request.ts';
import { listPath } from '../registration/console/path.ts';
import { shell } from '../registration/console/source-text.ts';
import { calledEndpoints } from '../web/endpoints.ts';
import { answer, authorizationFields, form, iat, opened } from './example-messages.ts';
import { exampleId, laidOut } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalProgram, PortalSection, PortalSentence, PortalStep } from './portal.view.ts';
import { type Chapter, errorAt, pageAt, plain, say } from './words.ts';

/** What makes a stolen secret, request or token useless: each by itself, and FAPI 2.0, which wants most of it together. */
export const stronger: Chapter = {
  path: '/developer/stronger-security',
  title: 'portal.stronger',
  about: 'portal.stronger.about',
  sections: (facts) => {
    const measures = measuresOf(facts);
    const rows = measures.map(({ heading, use }, at) => ({
      name: { ...heading, href: `#part-${at + 1}` },
      about: [use],
    }));
    return [
      {
        sentences: [
          say('portal.stronger.settings', { console: pageAt(facts, listPath) }),
          say('portal.stronger.first'),
        ],
        facts: rows.toSpliced(
          rows.findIndex(({ name }) => name.key === 'portal.stronger.par'),
          0,
          {
            name: { ...say('portal.dpop'), href: `${facts.base}/developer/dpop` },
            about: [say('portal.stronger.dpop_use')],
          },
        ),
        remarks: [
          say('portal.stronger.placeholders', {
            ...{ assertion, file: keyFile, state: 'STATE', challenge: 'CHALLENGE' },
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
export const jwt = (
  id: string,
  label: PortalSentence,
  header: { typ: string; alg: string; [name: string]: unknown },
  claims: object,
): PortalProgram => ({
  ...{ id, label, name: header.typ, about: [] },
  text: `${laidOut(header)}\n.\n${laidOut(claims)}`,
});

const kid = 'my-key';
const header = { alg: 'EdDSA', kid };
const lifetime = 60;
const keyFile = 'refresh.mjs';
const assertion = 'ASSERTION_JWT';
const authenticated = { client_assertion_type: assertionType, client_assertion: assertion };
export const algorithms = { algorithms: 'ES256, PS256, EdDSA', last: 'Ed25519' };

/** Makes a key pair, then signs assertions with it, without any library. */
const keyProgram = (facts: Facts): PortalProgram => ({
  ...{ id: 'key-program', name: 'Node', file: keyFile, about: [] },
  text: `// ${variable}=lk_rt_… node refresh.mjs
import * as crypto from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { env } from "node:process";

const client_id = "${exampleId}";
const kid = "${kid}";
const file = "private.pem";
if (!existsSync(file)) {
  const { privateKey, publicKey } = crypto.generateKeyPairSync("ed25519");
  const pem = privateKey.export({ type: "pkcs8", format: "pem" });
  writeFileSync(file, pem, { mode: 0o600 });
  const jwk = { ...publicKey.export({ format: "jwk" }), kid, alg: "EdDSA" };
  console.log(JSON.stringify({ keys: [jwk] }));
  process.exit();
}
const iat = Math.floor(Date.now() / 1000);
const claims = {
  iss: client_id,
  sub: client_id,
  aud: ${JSON.stringify(facts.issuer)},
  jti: crypto.randomUUID(),
  iat,
  exp: iat + ${lifetime},
};
const text = [{ alg: "EdDSA", kid }, claims]
  .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
  .join(".");
const signature = crypto.sign(null, Buffer.from(text), readFileSync(file));
const body = new URLSearchParams({
  grant_type: "refresh_token",
  refresh_token: env.${variable},
  client_id,
  client_assertion_type: "${assertionType}",
  client_assertion: text + "." + signature.toString("base64url"),
});
const url = ${JSON.stringify(calledEndpoints(facts).token_endpoint)};
const response = await fetch(url, { method: "POST", body });
console.log(response.status, await response.json());`,
});

const variable = 'REFRESH_TOKEN';

const byKey = (facts: Facts): Measure => ({
  heading: say('portal.stronger.key'),
  use: say('portal.stronger.key_use'),
  sentences: [
    say('portal.stronger.key_text', {
      ...{ paths: '/token, /par, /introspect', path: '/revoke', ...algorithms, rsa: 'RS256' },
      ...{ aud: 'aud', issuer: facts.issuer, jti: 'jti', exp: 'exp' },
    }),
  ],
  steps: [
    say('portal.stronger.key_make', { file: 'private.pem', client_id: 'client_id' }),
    say('portal.stronger.key_register', { method: 'private_key_jwt', jwks_uri: 'jwks_uri' }),
    say('portal.stronger.key_run', { variable }),
  ],
  remarks: [say('portal.stronger.key_replace', { kid: 'kid' })],
  programs: [keyProgram(facts)],
  errors: [{ name: errorAt(facts, 'invalid_client'), about: [say('portal.stronger.refused_client')] }],
});

function byCertificate(facts: Facts): Measure | undefined {
  if (!facts.methods.includes('self_signed_tls_client_auth')) return undefined;
  return {
    heading: say('portal.stronger.certificate'),
    use: say('portal.stronger.certificate_use'),
    steps: certificateSteps(facts),
    remarks: [
      say('portal.stronger.certificate_replace', { kid: 'kid' }),
      say('portal.stronger.certificate_binds', { token_type: 'token_type', bearer: 'Bearer', cnf: 'cnf.x5t#S256' }),
    ],
  };
}

function certificateSteps(facts: Facts): PortalStep[] {
  const names = { self: 'self_signed_tls_client_auth', subject: 'tls_client_auth' };
  const hasAuthorities = facts.methods.includes(names.subject);
  const aliases = { code: 'mtls_endpoint_aliases', href: `${facts.base}/.well-known/oauth-authorization-server` };
  return [
    {
      ...say(hasAuthorities ? 'portal.stronger.certificate_get' : 'portal.stronger.certificate_make'),
      program: {
        ...{ id: 'certificate', name: 'openssl', about: [] },
        text: `openssl req -x509 -newkey rsa:2048 -nodes \\
  -days 365 -subj /CN=app.example \\
  -keyout key.pem -out certificate.pem`,
      },
    },
    {
      ...say(
        hasAuthorities ? 'portal.stronger.certificate_register_any' : 'portal.stronger.certificate_register',
        hasAuthorities ? names : { self: names.self },
      ),
      program: {
        ...{ id: 'certificate-jwks', name: 'node', about: [] },
        text: `node -p 'const { X509Certificate } = require("crypto");
  const { publicKey } = new X509Certificate(fs.readFileSync("certificate.pem"));
  JSON.stringify({ keys: [publicKey.export({ format: "jwk" })] })'`,
      },
    },
    {
      ...(facts.mtls_url === undefined
        ? say('portal.stronger.certificate_sent', { client_id: 'client_id' })
        : say('portal.stronger.certificate_aliases', { aliases, client_id: 'client_id' })),
      program: {
        ...{ id: 'certificate-request', name: 'curl', about: [] },
        text: shell`curl -sS --cert certificate.pem --key key.pem \\
  ${calledEndpoints({ issuer: facts.mtls_url ?? facts.issuer }).token_endpoint} \\
  -d grant_type=refresh_token \\
  -d ${`client_id=${exampleId}`} \\
  --data-urlencode "refresh_token=$REFRESH_TOKEN"`.text,
      },
    },
  ];
}

const requestJwt = 'REQUEST_JWT';
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
      form('par-request', par, { ...authorizationFields(facts), ...authenticated }),
      answer('par-answer', 201, { request_uri: requestUri, expires_in: pushedRequestTtl }),
      opened('par-authorize', facts, `client_id=${exampleId}&request_uri=${requestUri}`),
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

const signs = (facts: Facts): Measure => ({
  heading: say('portal.stronger.signed'),
  use: say('portal.stronger.signed_use'),
  sentences: [
    say('portal.stronger.signed_text', {
      ...{ request: 'request', jwt: requestJwt, file: keyFile, exp: 'exp', nbf: 'nbf', jti: 'jti' },
    }),
  ],
  programs: [
    jwt(
      'request-object',
      say('portal.stronger.jwt'),
      { ...header, typ: 'oauth-authz-req+jwt' },
      {
        ...{ iss: exampleId, aud: facts.issuer, jti: 'JTI', nbf: iat, exp: iat + lifetime },
        ...authorizationFields(facts),
      },
    ),
    form('signed-request', calledEndpoints(facts).pushed_authorization_request_endpoint, {
      ...{ client_id: exampleId, request: requestJwt, ...authenticated },
    }),
  ],
  errors: [
    {
      name: errorAt(facts, 'invalid_request_object'),
      about: [say('portal.stronger.refused_object', { request: 'request', jti: 'jti' })],
    },
  ],
});

const fapi = (facts: Facts): Measure => ({
  heading: say('portal.stronger.fapi'),
  use: say('portal.stronger.fapi_use'),
  sentences: [say('portal.stronger.fapi_text')],
  bullets: [
    say('portal.stronger.fapi_method', { aud: 'aud', issuer: facts.issuer }),
    say('portal.stronger.fapi_requests', { redirect_uri: 'redirect_uri' }),
    say('portal.stronger.fapi_code', { time: plain(60) }),
  ],
});
