import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { answerJson } from '../../http/answers.ts';
import { bodyParameters, parameter, readParameters } from '../../http/parameters.ts';
import { traceOf } from '../../http/request-log.ts';
import { OAuthError } from '../../protocol/errors.ts';
import type { ActiveAccessToken } from '../../store/access-tokens.ts';
import { changeUserProfile } from '../../store/users.ts';
import { readAccessToken, requireScope } from './access-token.ts';

type Profile = Pick<ActiveAccessToken, 'user_id' | 'username' | 'name' | 'email'>;

/** The profile of the resource owner, reduced to the granted scopes. */
export const user =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const token = await readAccessToken(deps, req, 'rfc');
    requireScope(token, ['user:name', 'user:email'], 'user');
    answerProfile(res, token, token.scopes);
  };

const changeSchema = z.object({
  name: parameter(200, /^[^\p{Cc}]+$/u).optional(),
  email: parameter(254, /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u).optional(),
});

/** Changes the name, the email address or both. The answer is reduced to the granted scopes, too. */
export const changeUser =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const token = await readAccessToken(deps, req, 'rfc');
    requireScope(token, ['user:write'], 'user:write');
    const { name, email } = readParameters(changeSchema, bodyParameters(req));
    if (name === undefined && email === undefined)
      throw new OAuthError('invalid_request', 'name and email are missing');
    const changed = await changeUserProfile(deps.database, token.user_id, { name, email });
    if (!changed) throw new OAuthError('invalid_token', 'the access token is unknown, expired or revoked');
    const { user_id, client_id } = token;
    await audit(deps, traceOf(req, res), { event: 'profile_changed', user_id, client_id });
    answerProfile(res, changed, token.scopes);
  };

function answerProfile(res: Parameters<RequestHandler>[1], profile: Profile, scopes: readonly string[]): void {
  const { user_id, username, email, name } = profile;
  answerJson(res, 200, {
    id: user_id,
    ...(scopes.includes('user:name') && { username }),
    ...(scopes.includes('user:email') && { email }),
    ...(scopes.includes('user:name') && { name }),
  });
}
