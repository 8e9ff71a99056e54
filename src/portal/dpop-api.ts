import { clientAlgorithms, clockTolerance } from '../lib/client-jwt.ts';
import { proofLifetime } from '../lib/dpop.ts';
import { calledEndpoints } from '../web/endpoints.ts';
import { api, isUnavailable } from './api.ts';
import { algorithms } from './client-authentication.ts';
import { answer, apiScope, codeOf, exampleResource, introspectionAnswer, statusLine } from './example-messages.ts';
import { apiId } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalFact, PortalProgram, PortalSection, PortalSentence } from './portal.view.ts';
import { type Chapter, pageAt, plain, say, term } from './words.ts';

/** DPoP for the owner of an API, who is no reader of the page for applications. */
export const acceptsBound: Chapter = {
  path: '/developer/dpop-api',
  of_page: api.path,
  title: 'portal.bound.api',
  about: 'portal.bound.api_about',
  sections: (facts) => [learns(facts), accepts, runs(facts), refuses(facts)],
};

const jkt = 'cnf.jkt';

const learns = (facts: Facts): PortalSection => ({
  heading: say('portal.bound.learn'),
  sentences: [
    say('portal.bound.learn_text', { jkt, page: pageAt(facts, api.path) }),
    say('portal.bound.unbound', { cnf: 'cnf', bearer: 'Bearer' }),
  ],
  programs: [
    answer(
      'bound-introspection',
      200,
      { ...introspectionAnswer(facts), token_type: 'DPoP', cnf: { jkt: 'THUMBPRINT' } },
      say('portal.choices.introspection_response'),
    ),
  ],
});

const accepts: PortalSection = {
  heading: say('portal.bound.accept'),
  sentences: [
    say('portal.bound.accept_text', { authorization: `Authorization: DPoP ${codeOf('at')}`, header: 'DPoP' }),
  ],
  bullets: [
    say('portal.bound.accept_signature', { typ: 'typ', type: 'dpop+jwt', jwk: 'jwk', ...algorithms }),
    say('portal.bound.accept_request', { htm: 'htm', htu: 'htu' }),
    say('portal.bound.accept_time', { iat: 'iat', past: plain(proofLifetime), ahead: plain(clockTolerance) }),
    say('portal.bound.accept_token', { ath: 'ath' }),
    say('portal.bound.accept_once', { jti: 'jti', iat: 'iat', kept: plain(proofLifetime + clockTolerance) }),
    say('portal.bound.accept_key', { jkt }),
  ],
};

/** Checks a request as the list above says, without any library; a test sends it right and wrong requests. */
const verifier: PortalProgram = {
  ...{ id: 'proof-verifier', name: 'Node', file: 'verify.mjs', about: [] },
  text: `import assert from "node:assert";
import * as crypto from "node:crypto";

const past = ${proofLifetime}; // seconds
const ahead = ${clockTolerance};
const used = new Map(); // several processes must share it

const { RSA_PKCS1_PSS_PADDING: padding } = crypto.constants;
const ed25519 = { members: ["crv", "kty", "x"], hash: null };
const algorithms = new Map([
  ["ES256", {
    members: ["crv", "kty", "x", "y"],
    ...{ hash: "sha256", dsaEncoding: "ieee-p1363" },
  }],
  ["PS256", {
    members: ["e", "kty", "n"],
    ...{ hash: "sha256", padding, saltLength: 32 },
  }],
  ["EdDSA", ed25519],
  ["Ed25519", ed25519],
]);

const sha256 = (text) =>
  crypto.createHash("sha256").update(text).digest("base64url");
const decode = (part) => JSON.parse(Buffer.from(part, "base64url"));
const address = (url) => new URL(url).origin + new URL(url).pathname;

function read(proof, method, url, token) {
  const [header, claims, signature, more] = proof.split(".");
  const { typ, alg, jwk } = decode(header);
  const { htm, htu, iat, ath, jti } = decode(claims);
  const { members, hash, ...how } = algorithms.get(alg);
  const key = crypto.createPublicKey({ key: jwk, format: "jwk" });
  const signed = Buffer.from(header + "." + claims);
  const bytes = Buffer.from(signature, "base64url");
  assert(more === undefined && typ === "dpop+jwt" && !("d" in jwk));
  assert(crypto.verify(hash, signed, { key, ...how }, bytes));
  assert(htm === method && address(htu) === address(url));
  const age = Date.now() / 1000 - iat;
  assert(age <= past && age >= -ahead);
  assert(ath === sha256(token) && jti);
  return { thumbprint: sha256(JSON.stringify(jwk, members)), jti };
}

function useOnce(id) {
  const now = Date.now() / 1000;
  for (const [old, until] of used) {
    if (until >= now) break;
    used.delete(old);
  }
  assert(!used.has(id));
  used.set(id, now + past + ahead);
}

// the last: an introspection response, or the claims of a signed token
export function errorOf(method, url, headers, { active, cnf, token_type }) {
  const needed = cnf ? "dpop" : "bearer";
  const [scheme, token] = headers.authorization.split(/ +/);
  const types = [scheme, token_type ?? needed];
  const isWrong = types.some((type) => type.toLowerCase() !== needed);
  if (active === false || isWrong) return "invalid_token";
  if (!cnf) return undefined;
  try {
    const { thumbprint, jti } = read(headers.dpop, method, url, token);
    if (thumbprint !== cnf.jkt) return "invalid_token";
    useOnce(sha256(thumbprint + jti));
  } catch {
    return "invalid_dpop_proof";
  }
}`,
};

const algs = `algs="${clientAlgorithms.join(' ')}"`;

const boundApi = (facts: Facts): PortalProgram => ({
  ...{ id: 'bound-api', name: 'Node', file: 'api.mjs', about: [] },
  text: `// CLIENT_SECRET=${codeOf('cs')} node api.mjs
import { createServer } from "node:http";
import { env } from "node:process";
import { errorOf } from "./verify.mjs";

const publicUrl = "http://localhost:8000"; // behind a proxy, that of the proxy
const algs = '${algs}';

async function ask(token) {
  const client_secret = env.CLIENT_SECRET;
  const body = new URLSearchParams({ token, client_id: "${apiId}", client_secret });
  const url = ${JSON.stringify(calledEndpoints(facts).introspection_endpoint)};
  const answer = await fetch(url, { method: "POST", body });
  if (!answer.ok) throw new Error(answer.status);
  return answer.json();
}

async function respond({ method, url, headers }, res) {
  const refuse = (status, fault) =>
    res.writeHead(status, { "WWW-Authenticate": "DPoP " + fault + algs }).end();
  const [, sent] = /^(?:DPoP|Bearer) +(\\S+)$/i.exec(headers.authorization) ?? [];
  if (!sent) return refuse(401, "");
  const token = await ask(sent).catch(console.error);
  if (!token) return res.writeHead(503, { "Retry-After": "5" }).end();
  const isOurs = token.aud === "${exampleResource}";
  const error = isOurs
    ? errorOf(method, publicUrl + url, headers, token)
    : "invalid_token";
  if (error) return refuse(401, \`error="\${error}", \`);
  if (!token.scope.split(" ").includes("${apiScope}"))
    return refuse(403, 'error="insufficient_scope", scope="${apiScope}", ');
  res.setHeader("Content-Type", "application/json");
  res.end(JSON.stringify({ sub: token.sub }));
}
createServer(respond).listen(8000, () => console.log("Listening at 8000"));`,
});

const runs = (facts: Facts): PortalSection => ({
  heading: say('portal.run'),
  steps: [
    { ...say('portal.bound.verifier', { errorOf: 'errorOf' }), program: verifier },
    {
      ...say('portal.bound.api_save', { client_id: apiId, variable: 'CLIENT_SECRET', file: 'verify.mjs' }),
      program: boundApi(facts),
    },
    say('portal.bound.application_see', {
      url: 'http://localhost:8000',
      resource: exampleResource,
      page: pageAt(facts, '/developer/dpop'),
    }),
  ],
});

const refusal = (status: 401 | 403, about: PortalSentence, ...headers: string[]): PortalFact => ({
  name: term(statusLine(status)),
  about: [about],
  details: headers.map(term),
});

const withError = (error: string) => `WWW-Authenticate: DPoP error="${error}"`;

const refuses = (facts: Facts): PortalSection => ({
  heading: say('portal.api.refuses'),
  sentences: [say('portal.bound.challenge', { algs })],
  facts: [
    refusal(401, say('portal.api.absent'), 'WWW-Authenticate: DPoP'),
    refusal(401, say('portal.bound.wrong_token', { bearer: 'Bearer', dpop: 'DPoP' }), withError('invalid_token')),
    refusal(401, say('portal.bound.wrong_proof'), withError('invalid_dpop_proof')),
    refusal(
      ...([401, say('portal.bound.no_nonce'), withError('use_dpop_nonce')] as const),
      // a server without nonces does not tell of them
      ...(facts.dpop_nonce ? ['DPoP-Nonce: NONCE'] : []),
    ),
    refusal(403, say('portal.api.lacks'), `${withError('insufficient_scope')}, scope="${apiScope}"`),
    isUnavailable,
  ],
});
