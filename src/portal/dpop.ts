import { clockTolerance } from '../lib/client-jwt.ts';
import { proofLifetime } from '../lib/dpop.ts';
import { listPath } from '../registration/console/path.ts';
import { calledEndpoints } from '../web/endpoints.ts';
import { answer, answerWith, codeOf, form, iat, refusalAnswer, tokenAnswer, tokenFields } from './example-messages.ts';
import { exampleId } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalProgram, PortalSection } from './portal.view.ts';
import { algorithms, jwt, stronger } from './stronger.ts';
import { type Chapter, pageAt, plain, say, sectionAt } from './words.ts';

/** DPoP: a token that only the holder of a key can use. */
export const boundTokens: Chapter = {
  path: '/developer/dpop',
  title: 'portal.dpop',
  about: 'portal.stronger.dpop_use',
  sections: (facts) => [
    begins(facts),
    makes(facts),
    requests(facts),
    calls(facts),
    facts.dpop_nonce ? repeats(facts) : undefined,
    refuses(facts),
  ],
};

/** The header of a request that has a proof. */
const proved = 'DPoP: PROOF';

const proof = (id: string, facts: Facts, claims: object): PortalProgram =>
  jwt(
    id,
    'DPoP',
    { alg: 'ES256', typ: 'dpop+jwt', jwk: { kty: 'EC', crv: 'P-256', x: '…', y: '…' } },
    { ...claims, jti: 'JTI', iat, ...(facts.dpop_nonce && { nonce: 'NONCE' }) },
  );

const nonceNames = { header: 'DPoP-Nonce', error: 'use_dpop_nonce', claim: 'nonce' };

const begins = (facts: Facts): PortalSection => ({
  sentences: [
    ...(facts.dpop_nonce ? [say('portal.bound.first', nonceNames)] : []),
    say('portal.bound.required', { member: 'dpop_bound_access_tokens', console: pageAt(facts, listPath) }),
    ...(facts.demo ? [say('portal.begin.demo', { playground: pageAt(facts, '/playground') })] : []),
  ],
  remarks: [
    say('portal.bound.placeholders', {
      ...{ proof: 'PROOF', jti: 'JTI', digest: 'DIGEST', verifier: 'VERIFIER' },
      page: pageAt(facts, '/developer/messages'),
    }),
  ],
});

/** Makes a proof, without any library; a test sends its proofs. */
const proofMaker: PortalProgram = {
  ...{ id: 'proof', name: 'Node', file: 'proof.mjs', about: [] },
  text: `import {
  createHash, createPrivateKey, createPublicKey, randomUUID, sign,
} from "node:crypto";
import { readFileSync } from "node:fs";

const key = createPrivateKey(readFileSync("private.pem"));
const jwk = createPublicKey(key).export({ format: "jwk" });
const header = { alg: "ES256", typ: "dpop+jwt", jwk };
const encode = (part) => Buffer.from(JSON.stringify(part)).toString("base64url");

// token: only to call an API; nonce: only if the server has sent one
export function proof(method, url, token, nonce) {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { htm: method, htu: url, jti: randomUUID(), iat, nonce };
  if (token) claims.ath = createHash("sha256").update(token).digest("base64url");
  const text = encode(header) + "." + encode(claims);
  const signer = { key, dsaEncoding: "ieee-p1363" };
  return text + "." + sign("sha256", Buffer.from(text), signer).toString("base64url");
}`,
};

const makes = (facts: Facts): PortalSection => ({
  heading: say('portal.bound.proof'),
  sentences: [
    say('portal.stronger.proof', {
      ...{ htm: 'htm', htu: 'htu', jti: 'jti', iat: 'iat', jwk: 'jwk', algorithms },
    }),
    ...(facts.dpop_nonce ? [say('portal.stronger.proof_nonce', { ...nonceNames, nonce: 'NONCE' })] : []),
    say('portal.bound.program', { file: 'private.pem', page: sectionAt(facts, stronger, 'portal.stronger.key') }),
  ],
  programs: [proofMaker],
});

function requests(facts: Facts): PortalSection {
  const { token_endpoint } = calledEndpoints(facts);
  return {
    heading: say('portal.bound.request'),
    sentences: [
      say('portal.endpoints.dpop', { header: 'DPoP', token_type: 'token_type' }),
      say('portal.stronger.code', { dpop_jkt: 'dpop_jkt' }),
    ],
    remarks: [
      say('portal.bound.public', { client_id: exampleId }),
      say('portal.bound.refresh_public'),
      say('portal.bound.refresh_confidential'),
    ],
    programs: [
      proof('dpop-proof', facts, { htm: 'POST', htu: token_endpoint }),
      form('bound-request', token_endpoint, tokenFields, proved),
      answer('bound-answer', 200, { ...tokenAnswer(facts), token_type: 'DPoP' }),
    ],
  };
}

function calls(facts: Facts): PortalSection {
  const { userinfo_endpoint } = calledEndpoints(facts);
  return {
    heading: say('portal.bound.call'),
    sentences: [
      say('portal.endpoints.call', { authorization: 'Authorization: DPoP lk_at_…', ath: 'ath' }),
      say('portal.bound.api', { cnf: 'cnf', page: pageAt(facts, '/developer/api') }),
    ],
    programs: [
      proof('call-proof', facts, { htm: 'GET', htu: userinfo_endpoint, ath: 'DIGEST' }),
      {
        ...{ id: 'bound-call', name: `GET ${userinfo_endpoint}`, about: [] },
        label: say('portal.request'),
        text: `Authorization: DPoP ${codeOf('at')}\n${proved}`,
      },
    ],
  };
}

const refuses = ({ base, dpop_nonce }: Facts): PortalSection => {
  const named = (code: string) => ({ code, href: `${base}/errors/${code}` });
  return {
    heading: say('portal.errors'),
    facts: [
      {
        name: named('invalid_dpop_proof'),
        about: [
          say('portal.bound.refused', {
            ...{ iat: 'iat', past: plain(proofLifetime), ahead: plain(clockTolerance) },
            ...{ description: 'error_description', token: '400', api: '401' },
          }),
        ],
      },
      ...(dpop_nonce ? [{ name: named('use_dpop_nonce'), about: [say('portal.bound.refused_nonce')] }] : []),
    ],
  };
};

const repeats = (facts: Facts): PortalSection => ({
  heading: say('portal.bound.nonce'),
  sentences: [say('portal.endpoints.nonce', nonceNames)],
  programs: [
    answerWith(
      'nonce-answer',
      400,
      'DPoP-Nonce: NONCE',
      refusalAnswer(
        facts,
        'use_dpop_nonce',
        'the DPoP proof is not accepted: its nonce must be that of the header DPoP-Nonce',
      ),
    ),
  ],
});
