import { type Database, row, sql } from '../postgres/database.ts';
import { type IntrospectedToken, inSeconds } from './access-tokens.ts';
import { familyOfToken, isActiveFamily, isActiveRefreshToken, scopesInForceAt } from './active.ts';

const introspectStatement = sql(
  'introspect_refresh_token',
  `select code.client_id, ${inSeconds('token.issued_at')} as iat, ${inSeconds('token.expires_at')} as exp,
     users.user_id, users.username, code.gives_username, token.binding,
     array(
       select scope
       from unnest(token.scopes) scope
       where exists (
         select
         from unnest(code.resources) resource
         where scope = any (${scopesInForceAt('resource', 'token.scopes')}))) as scopes
   from refresh_tokens token
   join ${familyOfToken}
   where token.refresh_token_sha256 = $1
     and ${isActiveRefreshToken('token')}
     and ${isActiveFamily}`,
);

export function introspectRefreshToken(
  database: Database,
  refresh_token_sha256: Buffer,
): Promise<IntrospectedToken | undefined> {
  return row<IntrospectedToken>(database, introspectStatement, [refresh_token_sha256]);
}
