import type OAuth2Server from '@node-oauth/oauth2-server';
import { row } from './pool.ts';
import { sha256 } from './terms.ts';

type Model = OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel;
type Row = Record<string, string> & { scope: string[]; expires_at: Date; user_id: number };

const client = (found: Row): OAuth2Server.Client => ({ id: found['client_id'] ?? '', grants: [] });
const user = ({ user_id, username, email, name }: Row) => ({ id: user_id, username, email, name });

/**
 * The model that this library asks for, as few statements as its interface allows: four for an exchange, four for a
 * refresh, one for a resource. Codes and refresh tokens are used up by deleting them, which no race can do twice.
 */
export const model: Model = {
  async getClient(client_id, secret) {
    const found = await row<{ redirect_uris: string[]; grants: string[] }>(
      'client',
      'select redirect_uris, grants from clients where client_id = $1 and secret_sha256 = $2',
      [client_id, sha256(secret)],
    );
    return found && { id: client_id, redirectUris: found.redirect_uris, grants: found.grants };
  },

  async getAuthorizationCode(authorizationCode) {
    const found = await row<Row>(
      'code',
      `select client_id, redirect_uri, scope, code_challenge, expires_at, user_id
       from codes
       where code = $1`,
      [authorizationCode],
    );
    return (
      found && {
        authorizationCode,
        expiresAt: found.expires_at,
        redirectUri: found['redirect_uri'] ?? '',
        scope: found.scope,
        codeChallenge: found['code_challenge'] ?? '',
        codeChallengeMethod: 'S256',
        client: client(found),
        user: user(found),
      }
    );
  },

  async revokeAuthorizationCode({ authorizationCode }) {
    const text = 'delete from codes where code = $1 returning true as done';
    return (await row('revoke_code', text, [authorizationCode])) !== undefined;
  },

  async saveToken(token, client, user) {
    await row(
      'save',
      `with access as (
         insert into access_tokens (access_token, client_id, user_id, scope, expires_at)
         values ($1, $2, $3, $4, $5)
       )
       insert into refresh_tokens (refresh_token, client_id, user_id, scope, expires_at)
       values ($6, $2, $3, $4, $7)`,
      [
        token.accessToken,
        client.id,
        user['id'],
        token.scope,
        token.accessTokenExpiresAt,
        token.refreshToken,
        token.refreshTokenExpiresAt,
      ],
    );
    return { ...token, client, user };
  },

  async getRefreshToken(refreshToken) {
    const found = await row<Row>(
      'refresh_token',
      'select client_id, user_id, scope, expires_at from refresh_tokens where refresh_token = $1',
      [refreshToken],
    );
    return (
      found && {
        refreshToken,
        refreshTokenExpiresAt: found.expires_at,
        scope: found.scope,
        client: client(found),
        user: user(found),
      }
    );
  },

  async revokeToken({ refreshToken }) {
    const text = 'delete from refresh_tokens where refresh_token = $1 returning true as done';
    return (await row('revoke_token', text, [refreshToken])) !== undefined;
  },

  async getAccessToken(accessToken) {
    const found = await row<Row>(
      'access_token',
      `select token.client_id, token.scope, token.expires_at, users.user_id, users.username, users.email, users.name
       from access_tokens token
       join users using (user_id)
       where token.access_token = $1`,
      [accessToken],
    );
    return (
      found && {
        accessToken,
        accessTokenExpiresAt: found.expires_at,
        scope: found.scope,
        client: client(found),
        user: user(found),
      }
    );
  },

  saveAuthorizationCode: () => Promise.resolve(false),
};
