import { proofLifetime } from '../lib/dpop.ts';
import { listPath } from '../registration/console/path.ts';
import { calledEndpoints } from '../web/endpoints.ts';
import { algorithms } from './client-authentication.ts';
import {
  answer,
  codeOf,
  form,
  iat,
  redirect_uri,
  refusalAnswer,
  tokenAnswer,
  tokenFields,
} from './example-messages.ts';
import { exampleId, laidOut } from './examples.ts';
import type { Facts } from './facts.ts';
import { memberAt } from './fields.ts';
import type { PortalProgram, PortalSection, PortalSentence } from './portal.view.ts';
import { type Chapter, errorAt, pageAt, plain, say, term } from './words.ts';

/** DPoP: a token that only the holder of a key can use. */
export const boundTokens: Chapter = {
  path: '/developer/dpop',
  title: 'portal.dpop',
  about: 'portal.stronger.dpop_use',
  sections: (facts) => [
    begins(facts),
    runs(facts),
    proofs(facts),
    requests(facts),
    calls(facts),
    options(facts),
    refuses(facts),
  ],
};

/** The headers of requests that have a proof. */
const proved = 'DPoP: PROOF';
const authorization = `Authorization: DPoP ${codeOf('at')}`;

const begins = (facts: Facts): PortalSection => ({
  sentences: [say('portal.bound.what')],
  steps: [
    say('portal.bound.step_key'),
    say('portal.bound.step_proof'),
    say('portal.bound.step_request'),
    say('portal.bound.step_call'),
  ],
  remarks: facts.demo ? [say('portal.begin.demo', { playground: pageAt(facts, '/playground') })] : [],
});

const keyFile = 'dpop.pem';

/** Makes a key, which it keeps, and proofs, without any library; a test sends its proofs. */
const proofMaker: PortalProgram = {
  ...{ id: 'proof', name: 'Node', file: 'proof.mjs', about: [] },
  text: `import * as crypto from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const file = new URL("${keyFile}", import.meta.url);
if (!existsSync(file)) {
  const { privateKey } = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" });
  writeFileSync(file, pem, { mode: 0o600 });
}
const key = readFileSync(file, "utf8");
const jwk = crypto.createPublicKey(key).export({ format: "jwk" });
const header = { alg: "ES256", typ: "dpop+jwt", jwk };
const encode = (part) => Buffer.from(JSON.stringify(part)).toString("base64url");

// token: only to call an API; nonce: only if the server has sent one
export function proof(method, url, token, nonce) {
  const iat = Math.floor(Date.now() / 1000);
  const [htu] = url.split(/[?#]/);
  const claims = { htm: method, htu, jti: crypto.randomUUID(), iat, nonce };
  if (token) claims.ath = crypto.createHash("sha256").update(token).digest("base64url");
  const text = encode(header) + "." + encode(claims);
  const signer = { key, dsaEncoding: "ieee-p1363" };
  const bytes = crypto.sign("sha256", Buffer.from(text), signer);
  return text + "." + bytes.toString("base64url");
}`,
};

const proofs = (facts: Facts): PortalSection => ({
  heading: say('portal.bound.proof'),
  sentences: [say('portal.bound.proof_text')],
  facts: [
    { name: term('typ'), about: [term('dpop+jwt')] },
    { name: term('alg'), about: [say('portal.bound.alg', algorithms)] },
    { name: term('jwk'), about: [say('portal.bound.jwk')] },
    { name: term('htm, htu'), about: [say('portal.bound.htm')] },
    { name: term('jti'), about: [say('portal.bound.jti')] },
    { name: term('iat'), about: [say('portal.bound.iat')] },
    ...(facts.dpop_nonce ? [{ name: term('nonce'), about: [say('portal.bound.nonce', { header: nonceHeader })] }] : []),
    { name: term('ath'), about: [say('portal.bound.ath')] },
  ],
  programs: [decoded(facts)],
});

const nonceHeader = 'DPoP-Nonce';

/** The JWT before it is signed; a line between its header and its claims has the point that stands there. */
function decoded(facts: Facts): PortalProgram {
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty: 'EC', crv: 'P-256', x: '…', y: '…' } };
  const claims = {
    ...{ htm: 'POST', htu: calledEndpoints(facts).token_endpoint, jti: 'JTI', iat },
    ...(facts.dpop_nonce && { nonce: 'NONCE' }),
  };
  return {
    ...{ id: 'dpop-proof', label: say('portal.bound.decoded'), name: header.typ, about: [] },
    text: `${laidOut(header)}\n.\n${laidOut(claims)}`,
  };
}

/** Where a nonce is demanded, the first request is refused. */
function requests(facts: Facts): PortalSection {
  const { token_endpoint } = calledEndpoints(facts);
  const accepted = { ...tokenAnswer(facts), token_type: 'DPoP' };
  return {
    heading: say('portal.bound.request'),
    sentences: [
      say('portal.endpoints.dpop', { header: 'DPoP', token_type: 'token_type' }),
      say('portal.bound.public', { client_id: exampleId, proof: 'PROOF' }),
    ],
    steps: facts.dpop_nonce ? repeats(facts) : [],
    programs: [
      form('bound-request', token_endpoint, tokenFields, proved),
      ...(facts.dpop_nonce ? [withoutNonce(facts), withNextNonce(accepted)] : [answer('bound-answer', 200, accepted)]),
    ],
  };
}

const repeats = (facts: Facts): PortalSentence[] => [
  say('portal.bound.nonce_refused', {
    ...{ error: errorAt(facts, 'use_dpop_nonce'), header: nonceHeader },
    ...{ token: plain(400), api: plain(401) },
  }),
  say('portal.bound.nonce_repeat', { claim: 'nonce' }),
  say('portal.bound.nonce_next', { header: nonceHeader }),
];

/** The next proof has the nonce of this header. */
const withNextNonce = (members: object): PortalProgram => ({
  ...answer('bound-answer', 200, members, say('portal.bound.with_nonce')),
  text: `DPoP-Nonce: LATEST_NONCE\n\n${laidOut(members)}`,
});

/** The header counts as well. */
function withoutNonce(facts: Facts): PortalProgram {
  const fault = 'the DPoP proof is not accepted: its nonce must be that of the header DPoP-Nonce';
  const refusal = refusalAnswer(facts, 'use_dpop_nonce', fault);
  return {
    ...answer('nonce-answer', 400, refusal, say('portal.bound.without_nonce')),
    text: `DPoP-Nonce: NONCE\n\n${laidOut(refusal)}`,
  };
}

const calls = (facts: Facts): PortalSection => ({
  heading: say('portal.bound.call'),
  sentences: [say('portal.endpoints.call', { ath: 'ath' })],
  programs: [
    {
      ...{ id: 'bound-call', name: `GET ${calledEndpoints(facts).userinfo_endpoint}`, about: [] },
      label: say('portal.request'),
      text: `${authorization}\n${proved}`,
    },
  ],
});

const options = (facts: Facts): PortalSection => ({
  heading: say('portal.bound.options'),
  bullets: [
    say('portal.bound.refresh'),
    say('portal.stronger.code', { dpop_jkt: 'dpop_jkt' }),
    say('portal.bound.required', {
      member: memberAt(facts, 'dpop_bound_access_tokens'),
      console: pageAt(facts, listPath),
    }),
    say('portal.bound.api_see', { page: pageAt(facts, '/developer/dpop-api') }),
  ],
});

/** Redeems a code and calls an API, with the proofs of the program above. */
function runs(facts: Facts): PortalSection {
  const { token_endpoint, userinfo_endpoint } = calledEndpoints(facts);
  const reads = `
  const used = nonce;
  nonce = response.headers.get("DPoP-Nonce") ?? nonce;`;
  const again = `
  if (error.includes("use_dpop_nonce") && nonce !== used)
    return send(method, url, { token, body });`;
  return {
    heading: say('portal.run'),
    sentences: [
      say('portal.bound.program', { file: keyFile }),
      say('portal.bound.run', {
        ...{ file: 'proof.mjs', client_id: 'client_id' },
        verifier: 'code_verifier',
        page: pageAt(facts, '/developer/messages'),
      }),
      say('portal.bound.elsewhere'),
    ],
    programs: [
      proofMaker,
      {
        ...{ id: 'bound-program', name: 'Node', file: 'bound.mjs', about: [] },
        text: `// CODE=${codeOf('ac')} VERIFIER=… node bound.mjs
import { env } from "node:process";
import { proof } from "./proof.mjs";

${facts.dpop_nonce ? 'let nonce;\n' : ''}async function send(method, url, { token, body }) {
  const headers = { DPoP: proof(method, url, token${facts.dpop_nonce ? ', nonce' : ''}) };
  if (token) headers.Authorization = "DPoP " + token;
  const response = await fetch(url, { method, headers, body });
  const text = await response.text();${facts.dpop_nonce ? reads : ''}
  if (response.ok) return JSON.parse(text);
  const error = text + (response.headers.get("WWW-Authenticate") ?? "");${facts.dpop_nonce ? again : ''}
  throw new Error(response.status + " " + error);
}
const tokenUrl = ${JSON.stringify(token_endpoint)};
const body = new URLSearchParams({
  grant_type: "authorization_code",
  code: env.CODE,
  redirect_uri: "${redirect_uri}",
  client_id: "${exampleId}",
  code_verifier: env.VERIFIER,
});
const { access_token: token } = await send("POST", tokenUrl, { body });
const userUrl = ${JSON.stringify(userinfo_endpoint)};
console.log(await send("GET", userUrl, { token }));`,
      },
    ],
  };
}

const refuses = (facts: Facts): PortalSection => ({
  heading: say('portal.bound.errors'),
  sentences: [
    say('portal.bound.refused', {
      ...{ error: errorAt(facts, 'invalid_dpop_proof'), description: 'error_description' },
      ...{ token: plain(400), api: plain(401) },
    }),
  ],
  facts: [
    { name: term('iat'), about: [say('portal.bound.wrong_iat', { time: plain(proofLifetime) })] },
    { name: term('htm, htu'), about: [say('portal.bound.wrong_htu')] },
    { name: term('jti'), about: [say('portal.bound.wrong_jti')] },
    { name: term('ath'), about: [say('portal.bound.wrong_ath')] },
    { name: errorAt(facts, 'invalid_token'), about: [say('portal.bound.wrong_key')] },
    { name: errorAt(facts, 'invalid_grant'), about: [say('portal.bound.wrong_refresh')] },
  ],
});
