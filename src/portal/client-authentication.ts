import { assertionType } from '../lib/client-assertion.ts';
import { clientAlgorithms } from '../lib/client-jwt.ts';
import { listPath } from '../registration/console/path.ts';
import { shell } from '../registration/console/source-text.ts';
import { calledEndpoints } from '../web/endpoints.ts';
import { exampleId } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalProgram, PortalSection, PortalStep } from './portal.view.ts';
import { type Chapter, errorAt, pageAt, say, sectionAt, term } from './words.ts';

/** How an application authenticates with a key or a certificate instead of a secret. */
export const clientAuthentication: Chapter = {
  path: '/developer/client-authentication',
  title: 'portal.client',
  about: 'portal.client.about',
  sections: (facts) => [
    begins(facts),
    byKey(facts),
    moves(facts),
    replaces,
    assertions,
    headers,
    claims(facts),
    byCertificate(facts),
  ],
};

const begins = (facts: Facts): PortalSection => ({
  sentences: [
    say('portal.client.what'),
    say('portal.client.public', { page: pageAt(facts, '/developer/dpop') }),
    ...(hasCertificates(facts) ? [say('portal.client.which')] : []),
  ],
});

export const hasCertificates = ({ methods }: Facts) => methods.includes('self_signed_tls_client_auth');

export const algorithms = { algorithms: clientAlgorithms.slice(0, -1).join(', '), last: `${clientAlgorithms.at(-1)}` };
export const keyFile = 'key.mjs';
export const printsAssertion = `node ${keyFile}`;
const variable = 'REFRESH_TOKEN';
const method = 'private_key_jwt';

/** The names of the assertion's parameters, in requests that are not sent by a program. */
export const authenticated = { client_assertion_type: assertionType, client_assertion: 'ASSERTION_JWT' };

const inNode = (id: string, file: string, text: string): PortalProgram => ({
  ...{ id, name: 'Node', file, about: [], text },
});

/**
 * Makes a key, which it keeps, and signs with it, without any library; the programs below and on the next page use it. A server without
 * the file must not make a key of its own, which nobody has registered.
 */
const keyProgram = (facts: Facts): PortalProgram =>
  inNode(
    'key-program',
    keyFile,
    `import * as crypto from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

export const client_id = "${exampleId}";
const kid = "my-key";
const file = new URL("private.pem", import.meta.url);
const isRun = process.argv[1]?.endsWith("${keyFile}");
if (isRun && !existsSync(file)) {
  const { privateKey } = crypto.generateKeyPairSync("ed25519");
  const pem = privateKey.export({ type: "pkcs8", format: "pem" });
  writeFileSync(file, pem, { mode: 0o600 });
}
const key = readFileSync(file, "utf8");
const encode = (part) => Buffer.from(JSON.stringify(part)).toString("base64url");

export function sign(header, claims) {
  const text = encode({ alg: "EdDSA", kid, ...header }) + "." + encode(claims);
  return text + "." + crypto.sign(null, Buffer.from(text), key).toString("base64url");
}

// take the place of the secret: new ones for each request
export function credentials() {
  const jti = crypto.randomUUID();
  const iat = Math.floor(Date.now() / 1000);
  const who = { iss: client_id, sub: client_id, aud: ${JSON.stringify(facts.issuer)} };
  return {
    client_id,
    client_assertion_type: "${assertionType}",
    client_assertion: sign({}, { ...who, jti, iat, exp: iat + 300 }),
  };
}

if (isRun) {
  const jwk = crypto.createPublicKey(key).export({ format: "jwk" });
  console.log("JWK set:", JSON.stringify({ keys: [{ ...jwk, kid, alg: "EdDSA" }] }));
  console.log("${authenticated.client_assertion}:", credentials().client_assertion);
}`,
  );

const refreshProgram = (facts: Facts): PortalProgram =>
  inNode(
    'refresh-program',
    'refresh.mjs',
    `// ${variable}=lk_rt_… node refresh.mjs
import { credentials } from "./${keyFile}";

const { env } = process;
const body = new URLSearchParams({
  grant_type: "refresh_token",
  refresh_token: env.${variable},
  ...credentials(),
});
const request = { method: "POST", body };
const response = await fetch(${JSON.stringify(calledEndpoints(facts).token_endpoint)}, request);
console.log(response.status, await response.json());`,
  );

/** A request that goes on by the key as soon as the secret is refused. */
const movingProgram = inNode(
  'moving-program',
  'post.mjs',
  `// CLIENT_SECRET=lk_cs_…
import { client_id, credentials } from "./${keyFile}";

const { env } = process;
let client_secret = env.CLIENT_SECRET;

export async function post(url, fields) {
  const secret = client_secret;
  const proof = secret ? { client_id, client_secret } : credentials();
  const body = new URLSearchParams({ ...fields, ...proof });
  const response = await fetch(url, { method: "POST", body });
  const answer = await response.json();
  if (secret && answer.error === "invalid_client") client_secret = undefined;
  if (response.ok || !secret || client_secret) return answer;
  return post(url, fields);
}`,
);

const byKey = (facts: Facts): PortalSection => ({
  heading: say('portal.client.key'),
  sentences: [say('portal.client.in_use', { page: sectionAt(facts, clientAuthentication, 'portal.client.move') })],
  steps: [
    {
      ...say('portal.client.key_make', { client_id: 'client_id', command: printsAssertion, file: 'private.pem' }),
      program: keyProgram(facts),
    },
    say('portal.client.key_register', { method, console: pageAt(facts, listPath) }),
    {
      ...say('portal.client.key_run', { file: keyFile, variable, page: pageAt(facts, '/developer/messages') }),
      program: refreshProgram(facts),
    },
  ],
});

const moves = (facts: Facts): PortalSection => ({
  heading: say('portal.client.move'),
  sentences: [say('portal.client.move_text', { method })],
  steps: [
    say('portal.client.move_make'),
    {
      ...say('portal.client.move_deploy', { file: 'private.pem', error: errorAt(facts, 'invalid_client') }),
      program: movingProgram,
    },
    say('portal.client.move_register', { method }),
  ],
});

const replaces: PortalSection = {
  heading: say('portal.client.replace'),
  steps: [
    say('portal.client.replace_make', { file: keyFile, copy: `new-${keyFile}`, kid: 'kid', pem: 'private.pem' }),
    say('portal.client.replace_register', { keys: 'keys' }),
    say('portal.client.replace_deploy', { file: keyFile, copy: `new-${keyFile}` }),
  ],
};

/** What another program than those of this page has to send. */
const assertions: PortalSection = {
  heading: say('portal.client.assertion'),
  sentences: [say('portal.client.assertion_text', { paths: '/token, /par, /introspect', path: '/revoke' })],
  facts: [
    { name: term('client_assertion_type'), about: [term(assertionType)] },
    { name: term('client_assertion'), about: [say('portal.client.assertion_jwt')] },
  ],
};

const headers: PortalSection = {
  sentences: [say('portal.client.header')],
  facts: [
    { name: term('alg'), about: [say('portal.client.alg', { ...algorithms, rsa: 'RS256' })] },
    { name: term('kid'), about: [say('portal.client.kid')] },
  ],
};

const claims = (facts: Facts): PortalSection => ({
  sentences: [say('portal.client.claims')],
  facts: [
    { name: term('iss, sub'), about: [say('portal.client.subject', { client_id: 'client_id' })] },
    { name: term('aud'), about: [term(facts.issuer)] },
    { name: term('jti'), about: [say('portal.client.jti')] },
    { name: term('exp'), about: [say('portal.client.exp')] },
    { name: term('iat'), is_required: false, about: [say('portal.client.iat')] },
  ],
  errors: [
    {
      name: errorAt(facts, 'invalid_client'),
      about: [say('portal.client.refused_key', { kid: 'kid', alg: 'alg', client_id: 'client_id' })],
    },
  ],
});

function byCertificate(facts: Facts): PortalSection | undefined {
  if (!hasCertificates(facts)) return undefined;
  return {
    heading: say('portal.client.certificate'),
    steps: certificateSteps(facts),
    remarks: [say('portal.client.certificate_replace', { kid: 'kid' })],
    errors: [
      {
        name: errorAt(facts, 'invalid_client'),
        about: [say('portal.client.refused_certificate')],
      },
    ],
  };
}

function certificateSteps(facts: Facts): PortalStep[] {
  const names = { self: 'self_signed_tls_client_auth', subject: 'tls_client_auth' };
  const hasAuthorities = facts.methods.includes(names.subject);
  const aliases = { code: 'mtls_endpoint_aliases', href: `${facts.base}/.well-known/oauth-authorization-server` };
  return [
    {
      ...say(hasAuthorities ? 'portal.client.certificate_get' : 'portal.client.certificate_make'),
      program: {
        ...{ id: 'certificate', name: 'openssl', about: [] },
        text: `openssl req -x509 -nodes \\
  -newkey rsa:2048 -days 365 \\
  -subj /CN=app.example \\
  -keyout key.pem \\
  -out certificate.pem`,
      },
    },
    {
      ...say(
        hasAuthorities ? 'portal.client.certificate_register_any' : 'portal.client.certificate_register',
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
        ? say('portal.client.certificate_sent', { client_id: 'client_id' })
        : say('portal.client.certificate_aliases', { aliases, client_id: 'client_id' })),
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
