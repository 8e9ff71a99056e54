import {
  grantOfFamily,
  isActiveFamily,
  isActiveRefreshToken,
  scopesInForceAt,
  subjectOf,
} from '../../identity/active.sql.ts';
import type { PresentedToken } from '../../lib/refresh-token.ts';
import { type Database, row, sql } from '../../postgres/database.ts';
import { type IntrospectedToken, inSeconds, knownSignIn } from '../resource/access-tokens.sql.ts';

const introspectStatement = sql(
  'introspect_refresh_token',
  `select code.client_id, ${inSeconds('code.refresh_issued_at')} as iat, ${inSeconds('code.refresh_expires_at')} as exp,
     users.user_id, ${subjectOf('users')} as sub, users.username, users.email, users.email_verified, code.gives_username, code.refresh_binding as binding, ${knownSignIn},
     array(
       select scope
       from unnest(code.scopes) scope
       where exists (
         select
         from unnest(code.resources) resource
         where scope = any (${scopesInForceAt('resource', 'code.scopes')}))) as scopes
   from authorization_codes code
   join ${grantOfFamily}
   where code.code_sha256 = $1
     and ${isActiveRefreshToken('$2')}
     and ${isActiveFamily}`,
);

export function introspectRefreshToken(
  database: Database,
  { family_key, refresh_token_sha256 }: PresentedToken,
): Promise<IntrospectedToken | undefined> {
  return row<IntrospectedToken>(database, introspectStatement, [family_key, refresh_token_sha256]);
}
