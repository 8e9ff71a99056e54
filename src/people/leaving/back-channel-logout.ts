import type { RequestHandler } from 'express';
import type { Trace } from '../../audit/audit.sql.ts';
import { logEvent } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { limitFailures } from '../../identity/failed-authentications.ts';
import { OAuthError } from '../../lib/errors.ts';
import { readJwt } from '../../lib/jwt.ts';
import { readLogout } from '../../lib/logout-token.ts';
import { isProviderName } from '../../lib/provider-metadata.ts';
import { digestOfParts } from '../../lib/secrets.ts';
import { confirmServer } from '../../postgres/database.ts';
import { answerWithoutBody } from '../../web/answers.ts';
import { arrivalOf, traceOf } from '../../web/request-log.ts';
import { bodyParameters, isForm, readBody } from '../../web/request-parameters.ts';
import { shownLogout } from '../../web/request-schemas.ts';
import { isSignedThere } from '../providers/provider-sign-in.ts';
import { findProvider } from '../providers/providers.sql.ts';
import { tellKeysAreAway } from './keys-are-away.ts';
import { endProviderSessions } from './provider-sessions.sql.ts';

/** Where a provider tells that somebody has signed out there [OpenID Connect Back-Channel Logout 1.0 §2.5]. */
export const backChannelLogout =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    if (!isForm(req)) throw new OAuthError('invalid_request', 'the body must be application/x-www-form-urlencoded');
    const { logout_token } = readBody(shownLogout, req, bodyParameters(req));
    const trace = traceOf(req, res);
    const problem = await endWhatItNames(deps, String(req.params['name']), logout_token, trace);
    if (problem !== undefined) {
      await limitFailures(deps, trace);
      throw new OAuthError('invalid_request', 'logout_token is not valid here', { reason: problem });
    }
    await confirmServer(deps.database, arrivalOf(res));
    answerWithoutBody(res, 200);
  };

/** Says why nothing was ended, in fixed words; undefined if the token counts, whether anybody was signed in or not. */
async function endWhatItNames(deps: Deps, name: string, token: string, trace: Trace): Promise<string | undefined> {
  const provider = isProviderName(name) ? await findProvider(deps.database, name) : undefined;
  if (!provider || provider.kind === 'github') return 'the address is that of no OpenID provider';
  const jwt = readJwt(token);
  if (!jwt) return 'logout_token is not a JWT';
  const logout = readLogout(jwt, provider);
  if (typeof logout === 'string') return logout;
  if (!(await isSignedThere(deps, provider, jwt).catch(tellKeysAreAway))) return 'the provider has not signed it';
  const issuer = String(jwt.claims['iss']);
  const token_sha256 = digestOfParts('logout token', issuer, logout.jti);
  const end = { ...logout, provider: name, issuer, token_sha256 };
  const ended = await endProviderSessions(deps.database, end, trace);
  for (const { outcome, user_id, detail } of ended) {
    if (outcome !== 'ended') return `logout token ${outcome}`;
    logEvent(deps, trace, { event: 'session_ended', user_id: user_id ?? undefined, detail: detail ?? undefined });
  }
  return undefined;
}
