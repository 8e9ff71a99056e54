import type { Request, RequestHandler } from 'express';
import type { Trace } from '../../audit/audit.sql.ts';
import { logEvent } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { limitFailures } from '../../identity/failed-authentications.ts';
import { OAuthError } from '../../lib/errors.ts';
import { type Revocation, readRevocation, readSubject } from '../../lib/global-token-revocation.ts';
import { readJwt } from '../../lib/jwt.ts';
import { isStorable } from '../../lib/parameters.ts';
import { digestOfParts } from '../../lib/secrets.ts';
import { confirmServer } from '../../postgres/database.ts';
import { answerWithoutBody } from '../../web/answers.ts';
import { arrivalOf, traceOf } from '../../web/request-log.ts';
import { jsonBody } from '../../web/request-parameters.ts';
import { isSignedThere } from '../providers/provider-sign-in.ts';
import { findProviderByIssuer, type Provider } from '../providers/providers.sql.ts';
import { tellKeysAreAway } from './keys-are-away.ts';
import { revokeSubject } from './provider-sessions.sql.ts';

/** Where a provider asks to end all of a person [draft-parecki-oauth-global-token-revocation §3]. */
export const revokeAllOfSubject =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const trace = traceOf(req, res);
    const asked = await whoAsks(deps, req);
    if (typeof asked === 'string') return refuse(deps, trace, asked);
    const { provider, revocation } = asked;
    if (!provider.global_token_revocation) throw notAllowed('the provider may end nothing');
    const subject = readSubject(jsonBody(req));
    if (typeof subject === 'string') throw new OAuthError('invalid_request', subject);
    if (subject.iss !== provider.issuer) throw notAllowed('sub_id is of another issuer');
    const token_sha256 = digestOfParts('global token revocation', provider.issuer, revocation.jti);
    const request = { ...revocation, ...subject, provider: provider.name, token_sha256 };
    const revoked = await revokeSubject(deps.database, request, trace);
    const outcomes = revoked.map(({ outcome }) => outcome);
    if (outcomes.includes('not_allowed')) throw notAllowed('the provider may end nothing');
    if (outcomes.includes('untimely') || outcomes.includes('repeated')) return refuse(deps, trace, `token ${outcomes}`);
    await confirmServer(deps.database, arrivalOf(res));
    if (outcomes.includes('unknown')) throw new OAuthError('not_found', 'nobody here is this subject');
    for (const { user_id, detail } of revoked) {
      logEvent(deps, trace, { event: 'session_ended', user_id: user_id ?? undefined, detail: detail ?? undefined });
    }
    answerWithoutBody(res, 204);
  };

/** The provider that has signed the bearer token; or why nobody has, in fixed words. */
async function whoAsks(
  deps: Deps,
  { headers: { authorization = '' } }: Request,
): Promise<{ provider: Provider; revocation: Revocation } | string> {
  const [, token = ''] = /^Bearer +([\w.-]+)$/i.exec(authorization) ?? [];
  const jwt = readJwt(token);
  if (!jwt) return 'no JWT as bearer token';
  const { iss } = jwt.claims;
  // an issuer that nobody has registered is asked for nothing
  const provider =
    typeof iss === 'string' && isStorable(iss) ? await findProviderByIssuer(deps.database, iss) : undefined;
  if (!provider) return 'iss of the token is no provider';
  const address = `${deps.config.issuer}/revoke-subject`;
  const revocation = readRevocation(jwt, { client_id: provider.client_id, address });
  if (typeof revocation === 'string') return revocation;
  const isSigned = await isSignedThere(deps, provider, jwt).catch(tellKeysAreAway);
  return isSigned ? { provider, revocation } : 'the provider has not signed the token';
}

/** One answer for all reasons. */
async function refuse(deps: Deps, trace: Trace, reason: string): Promise<never> {
  await limitFailures(deps, trace);
  const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
  throw new OAuthError('invalid_token', 'the bearer token is not valid here', { reason, headers });
}

const notAllowed = (reason: string) =>
  new OAuthError('access_denied', 'this provider may not end what this person has', { reason });
