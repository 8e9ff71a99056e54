import { calledEndpoints } from '../web/endpoints.ts';
import { answerWith, codeOf, form, iat, refusalAnswer, tokenFields } from './example-messages.ts';
import { exampleId } from './examples.ts';
import type { Facts } from './facts.ts';
import type { PortalProgram, PortalSection } from './portal.view.ts';
import { algorithms, jwt } from './stronger.ts';
import { type Chapter, pageAt, say } from './words.ts';

/** DPoP: a token that only the holder of a key can use. */
export const boundTokens: Chapter = {
  path: '/developer/dpop',
  title: 'portal.dpop',
  about: 'portal.stronger.dpop_use',
  sections: (facts) => [
    facts.demo ? { sentences: [say('portal.begin.demo', { playground: pageAt(facts, '/playground') })] } : undefined,
    requests(facts),
    calls(facts),
    facts.dpop_nonce ? repeats(facts) : undefined,
  ],
};

/** The header of a request that has a proof. */
const proved = 'DPoP: JWT';

const proof = (id: string, facts: Facts, claims: object): PortalProgram =>
  jwt(
    id,
    'DPoP',
    { alg: 'ES256', typ: 'dpop+jwt', jwk: { kty: 'EC', crv: 'P-256', x: '…', y: '…' } },
    { ...claims, jti: 'JTI', iat, ...(facts.dpop_nonce && { nonce: 'NONCE' }) },
  );

function requests(facts: Facts): PortalSection {
  const { token_endpoint } = calledEndpoints(facts);
  return {
    heading: say('portal.bound.request'),
    sentences: [
      say('portal.endpoints.dpop', { header: 'DPoP', token_type: 'token_type' }),
      say('portal.stronger.proof', {
        ...{ htm: 'htm', htu: 'htu', jti: 'jti', iat: 'iat', jwk: 'jwk', algorithms },
      }),
      say('portal.stronger.code', { dpop_jkt: 'dpop_jkt' }),
    ],
    remarks: [say('portal.bound.public', { client_id: exampleId })],
    programs: [
      proof('dpop-proof', facts, { htm: 'POST', htu: token_endpoint }),
      form('bound-request', token_endpoint, tokenFields, proved),
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

const repeats = (facts: Facts): PortalSection => ({
  heading: say('portal.bound.nonce'),
  sentences: [say('portal.endpoints.nonce', { header: 'DPoP-Nonce', error: 'use_dpop_nonce', claim: 'nonce' })],
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
