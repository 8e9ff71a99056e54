import type { Request, RequestHandler, Response } from 'express';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import type { Deps } from '../../deps.ts';
import { limitFailures } from '../../identity/failed-authentications.ts';
import { OAuthError } from '../../lib/errors.ts';
import { revealedProfile, revealedUsername, type StoredProfile, usernameScope } from '../../lib/profile.ts';
import { isMetBy, isTooWeak, signInForScopes } from '../../lib/step-up.ts';
import { answerJson } from '../../web/answers.ts';
import { clientAddress } from '../../web/request-log.ts';
import { authorizationDetails } from '../choice/authorization-details.ts';
import { claimsOf, shownScopes } from '../claims/claims.ts';
import { noteLastUse } from '../consent/last-use.sql.ts';
import type { Dialect } from '../github/dialect.ts';
import { isLikeCredential, keyOfAccessToken } from '../token/credential-keys.ts';
import { explainAccessToken } from '../token/token-end.ts';
import { type ActiveAccessToken, findActiveAccessToken } from './access-tokens.sql.ts';
import { challengeHeader, ownChallenge, presentations } from './challenges.ts';
import { findTokenAndUseProof } from './token-with-proof.ts';

/** The profile of the resource owner, reduced to the granted scopes. */
export const user =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const token = await readAccessToken(deps, req, 'rfc');
    const { scopes, sub } = token;
    const shown = await shownScopes(deps, scopes);
    requireScope(token, shown, 'user');
    await requireSignIn(deps, token, shown);
    const authorization_details = authorizationDetails(token.choices);
    answerProfile(res, token, scopes, { authorization_details, ...(await claimsOf(deps, sub, scopes)) });
  };

export function answerProfile(
  res: Response,
  profile: StoredProfile & { user_id: number; sub: string; username: string },
  scopes: readonly string[],
  more: object | false = false,
): void {
  const { user_id, sub } = profile;
  answerJson(res, 200, {
    id: user_id,
    sub,
    ...(scopes.includes(usernameScope) && { username: revealedUsername(profile, scopes) }),
    ...revealedProfile(profile, scopes),
    ...more,
  });
}

/** The active access token that a request presents; throws a refusal with its challenge otherwise [6750 §3]. */
export async function readAccessToken(deps: Deps, req: Request, dialect: Dialect): Promise<ActiveAccessToken> {
  const presented = presentations.flatMap((presentation) =>
    presentation.tokensIn(req, dialect).map((token) => ({ presentation, token })),
  );
  const [first] = presented;
  if (first === undefined) {
    throw new OAuthError('invalid_token', 'an access token is needed', { headers: challengeHeader(deps.config, req) });
  }
  if (presented.length > 1) throw new OAuthError('invalid_request', 'the access token is sent more than once');
  const { presentation, token } = first;
  const key = await keyOfAccessToken(deps, token);
  const proven = key && (await presentation.prove(deps, req, token, key));
  const active =
    proven &&
    (await (proven.proof ? findTokenAndUseProof(deps, key, proven.proof) : findActiveAccessToken(deps.database, key)));
  if (!active) throw await invalidToken(deps, req, token, key);
  if (!proven.opens(active.binding)) {
    const headers = ownChallenge(req, { description: inactive, sign_in: undefined }, active.binding) ?? {};
    const { client_id } = active;
    throw new OAuthError('invalid_token', inactive, { client_id, reason: 'bound to another key', headers });
  }
  noteLastUse(deps.database, active.grant_to_touch);
  return active;
}

/** One description for every token that is not active; the exact reason is for the log and the owner of the client. */
async function invalidToken(deps: Deps, req: Request, token: string, key: Buffer | undefined): Promise<OAuthError> {
  const { facts, ...details } = await explainAccessToken(deps.database, key);
  // one that has ended is an ordinary event; one that is not stored was made up, or ended more than a day ago
  if (!facts && isLikeCredential(token)) await limitFailures(deps, { address: clientAddress(req) }, 'access token');
  const reason = details.reason ?? 'access token for another resource';
  return new OAuthError('invalid_token', inactive, { ...details, reason });
}

const inactive = 'the access token is unknown, expired, revoked, bound to another key or for another resource';

export function requireScope({ scopes, client_id }: ActiveAccessToken, anyOf: readonly string[], scope: string): void {
  if (anyOf.some((member) => scopes.includes(member))) return;
  const reason = `scope ${scope} not granted`;
  const description = 'the access token does not carry the scope that is needed';
  throw new OAuthError('insufficient_scope', description, { client_id, reason, scope });
}

/** Refuses a token whose sign-in is too weak or too old for one of the scopes that it has and the answer needs [9470 §3]. */
export async function requireSignIn(deps: Deps, token: ActiveAccessToken, needed: readonly string[]): Promise<void> {
  const { config, database } = deps;
  const scopes = needed.filter((scope) => token.scopes.includes(scope));
  const required = signInForScopes(await findScopeCatalogue(database), scopes);
  if (isMetBy(required, token)) return;
  const { level, max_age } = required;
  const sign_in = {
    ...(level !== undefined && { acr_values: config.acr_names[level - 1] ?? '' }),
    ...(max_age !== undefined && { max_age: String(max_age) }),
  };
  const reason = `sign-in too ${isTooWeak(token, required) ? 'weak' : 'old'} for a scope`;
  const description = 'the sign-in behind the access token is too old or too weak for this request';
  throw new OAuthError('insufficient_user_authentication', description, {
    client_id: token.client_id,
    reason,
    sign_in,
  });
}
