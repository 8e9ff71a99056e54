import { clockTolerance } from '../lib/client-jwt.ts';
import { proofLifetime } from '../lib/dpop.ts';
import { api } from './api.ts';
import { algorithms } from './client-authentication.ts';
import { answer, codeOf, introspectionAnswer, statusLine } from './example-messages.ts';
import type { Facts } from './facts.ts';
import type { PortalSection } from './portal.view.ts';
import { type Chapter, pageAt, plain, say } from './words.ts';

/** DPoP for the owner of an API, who is no reader of the page for applications. */
export const acceptsBound: Chapter = {
  path: '/developer/dpop-api',
  of_page: api.path,
  title: 'portal.bound.api',
  about: 'portal.bound.api_about',
  sections: (facts) => [accepts(facts)],
};

const jkt = 'cnf.jkt';

const accepts = (facts: Facts): PortalSection => ({
  heading: say('portal.bound.accept'),
  sentences: [
    say('portal.bound.accept_text', {
      ...{ authorization: `Authorization: DPoP ${codeOf('at')}`, jkt, header: 'DPoP' },
      page: pageAt(facts, api.path),
    }),
  ],
  bullets: [
    say('portal.bound.accept_signature', { typ: 'typ', type: 'dpop+jwt', jwk: 'jwk', ...algorithms }),
    say('portal.bound.accept_request', { htm: 'htm', htu: 'htu' }),
    say('portal.bound.accept_time', { iat: 'iat', past: plain(proofLifetime), ahead: plain(clockTolerance) }),
    say('portal.bound.accept_token', { ath: 'ath' }),
    say('portal.bound.accept_once', { jti: 'jti' }),
    say('portal.bound.accept_key', { jkt }),
  ],
  remarks: [
    say('portal.bound.accept_refuse', {
      status: statusLine(401),
      challenge: 'WWW-Authenticate: DPoP error="invalid_dpop_proof"',
    }),
    say('portal.bound.application_see', { page: pageAt(facts, '/developer/dpop') }),
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
