import type { RequestHandler, Response } from 'express';
import type { Deps } from '../../deps.ts';
import { revealedProfile, revealedUsername, type StoredProfile, usernameScope } from '../../lib/profile.ts';
import { answerJson } from '../../web/answers.ts';
import { claimsOf, shownScopes } from '../claims/claims.ts';
import { readAccessToken, requireScope, requireSignIn } from './access-token.ts';

/** The profile of the resource owner, reduced to the granted scopes. */
export const user =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const token = await readAccessToken(deps, req, 'rfc');
    const { scopes, sub } = token;
    const shown = await shownScopes(deps, scopes);
    requireScope(token, shown, 'user');
    await requireSignIn(deps, token, shown);
    answerProfile(res, token, scopes, await claimsOf(deps, sub, scopes));
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
