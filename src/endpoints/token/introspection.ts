import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { isPublic } from '../../grants/client.ts';
import { answerJson } from '../../http/answers.ts';
import { bearer } from '../../http/presentation.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { writeScope } from '../../protocol/scope.ts';
import { credentialKey, isSecret } from '../../protocol/secrets.ts';
import { introspectAccessToken } from '../../store/access-tokens.ts';
import { introspectRefreshToken } from '../../store/refresh-tokens.ts';
import { findScopeCatalogue } from '../../store/scopes.ts';
import { readClientAndToken } from './client-and-token.ts';

/** RFC 7662. A client may introspect its own tokens, a resource server all access tokens. */
export const introspection =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const { client, token } = await readClientAndToken(deps, req, res);
    if (isPublic(client)) {
      throw new OAuthError('unauthorized_client', 'introspection is for clients with a secret');
    }
    const found = await findToken(deps, token);
    const isOwn = found?.client_id === client.client_id;
    const maySee = isOwn || (client.resource_server && found?.is_access_token);
    // a resource server may take an empty scope for an unlimited one, so a token without scopes counts as inactive
    if (!found || found.scopes.length === 0 || !maySee) {
      return answerJson(res, 200, { active: false });
    }
    answerJson(res, 200, {
      active: true,
      scope: writeScope(await findScopeCatalogue(deps.database), found.scopes),
      client_id: found.client_id,
      username: found.scopes.includes('user:name') ? found.username : undefined,
      token_type: found.is_access_token ? bearer.token_type : undefined,
      exp: found.exp,
      iat: found.iat,
      sub: String(found.user_id),
      iss: deps.config.issuer,
    });
  };

async function findToken({ database }: Deps, token: string) {
  const digest = credentialKey(token);
  const access = isSecret('access_token', token) && (await introspectAccessToken(database, digest));
  if (access) return { ...access, is_access_token: true };
  const refresh = isSecret('refresh_token', token) && (await introspectRefreshToken(database, digest));
  return refresh ? { ...refresh, is_access_token: false } : undefined;
}
