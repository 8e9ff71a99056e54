import { subjectOf } from '../../identity/active.sql.ts';
import type { PresentedToken } from '../../lib/refresh-token.ts';
import { batched } from '../../postgres/batches.ts';
import { type Database, row, sql } from '../../postgres/database.ts';
import { choicesShown } from '../choice/choice-rules.sql.ts';
import {
  type ActiveAccessToken,
  isActive,
  type TokenKey,
  tokenAndFamily,
  tokenKeyColumns,
} from '../resource/access-tokens.sql.ts';
import { grantOfFamily, isActiveFamily, isActiveRefreshToken, scopesInForceAt } from '../rules.sql.ts';
import { inSeconds, type KnownSignIn, knownSignIn } from './token-facts.sql.ts';

/** The scopes of a family at any of its resources. */
const scopesAnywhere = `array(
       select scope
       from unnest(code.scopes) scope
       where exists (
         select
         from unnest(code.resources) resource
         where scope = any (${scopesInForceAt('resource', 'code.scopes', 'grants.choices')})))`;

const introspectStatement = sql(
  'introspect_refresh_token',
  `select code.client_id, ${inSeconds('code.refresh_issued_at')} as iat, ${inSeconds('code.refresh_expires_at')} as exp,
     users.user_id, ${subjectOf('users')} as sub, users.username, users.email, users.email_verified, code.gives_username, code.refresh_binding as binding, ${knownSignIn},
     ${scopesAnywhere} as scopes, ${choicesShown('grants.choices', scopesAnywhere)}
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

/** What introspection says about an active token; times in seconds [7662 §2.2]. */
export interface IntrospectedToken
  extends KnownSignIn,
    Pick<
      ActiveAccessToken,
      | 'client_id'
      | 'scopes'
      | 'choices'
      | 'user_id'
      | 'sub'
      | 'username'
      | 'email'
      | 'email_verified'
      | 'gives_username'
      | 'binding'
    > {
  iat: number;
  exp: number;
}

export interface IntrospectedAccessToken extends IntrospectedToken {
  resource: string;
  /** the client of the resource's own server; null at this server */
  resource_client_id: string | null;
}

const scopesThere = scopesInForceAt('token.resource', 'token.scopes', 'token.choices');

const introspectActive = batched<TokenKey, IntrospectedAccessToken>(
  'introspect_access_token',
  tokenKeyColumns,
  (requests) => `
   select position, code.client_id, users.user_id, ${subjectOf('users')} as sub, users.username, users.email, users.email_verified, code.gives_username, token.binding, ${knownSignIn},
     ${scopesThere} as scopes, ${choicesShown('token.choices', scopesThere)}, token.resource, resources.client_id as resource_client_id,
     ${inSeconds('token.issued_at')} as iat, ${inSeconds('token.expires_at')} as exp
   from ${tokenAndFamily(requests)}
   left join resources on resources.resource = token.resource
   where ${isActive}`,
);

export function introspectAccessToken(
  database: Database,
  access_token_sha256: Buffer,
): Promise<IntrospectedAccessToken | undefined> {
  return introspectActive(database, { access_token_sha256 });
}
