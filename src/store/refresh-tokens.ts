import { batched } from '../postgres/batches.ts';
import { type Database, row, sql } from '../postgres/database.ts';
import type { IntrospectedToken } from './access-tokens.ts';
import {
  familyOfToken,
  isActiveAccessToken,
  isActiveFamily,
  isActiveRefreshToken,
  isRepeatable,
  scopesInForce,
  successorOfToken,
} from './active.ts';
import type { Trace } from './audit.ts';
import type { IssuedTokens, NewTokens } from './authorization-codes.ts';
import { grantToTouch } from './grants.ts';

export interface Rotation extends Trace {
  refresh_token_sha256: Buffer;
  client_id: string;
  secret_sha256: Buffer | null;
  scope: string | undefined;
  successor_salt: Buffer;
  successor_sha256: Buffer;
  successor_access_sha256: Buffer;
  access_token_ttl: number;
  refresh_token_ttl: number;
}

/**
 * The scopes of the new access token; all of the refresh token's if the request names none. The successor keeps all of them,
 * so that a later refresh can ask for more again, up to what was granted [6749 §6].
 */
const requestedScopes = `coalesce(string_to_array(requests.scope, ' '), token.scopes)`;

/** Rotates a refresh token once under any concurrency, in the way in which redeemAuthorizationCode redeems a code. */
const rotate = batched<Rotation, NewTokens>(
  'rotate_refresh_token',
  {
    refresh_token_sha256: 'bytea',
    client_id: 'text',
    secret_sha256: 'bytea',
    scope: 'text',
    successor_salt: 'bytea',
    successor_sha256: 'bytea',
    successor_access_sha256: 'bytea',
    access_token_ttl: 'integer',
    refresh_token_ttl: 'integer',
    request_id: 'text',
    address: 'text',
  },
  (requests) => `with rotated as (
     update refresh_tokens token
     set rotated_at = now(),
       successor_salt = requests.successor_salt,
       successor_sha256 = requests.successor_sha256,
       successor_access_sha256 = requests.successor_access_sha256
     from ${requests}, authorization_codes code, grants, users, clients
     where token.refresh_token_sha256 = requests.refresh_token_sha256
       and ${isActiveRefreshToken('token')}
       and ${requestedScopes} <@ token.scopes
       and code.code_id = token.code_id
       and code.client_id = requests.client_id
       and clients.client_id = code.client_id
       and case when requests.secret_sha256 is null then clients.secrets_sha256 = '{}' else requests.secret_sha256 = any (clients.secrets_sha256) end
       and 'refresh_token' = any (clients.grant_types)
       and grants.grant_id = code.grant_id
       and users.user_id = grants.user_id
       and ${isActiveFamily}
       and ${scopesInForce(requestedScopes)} <> '{}'
     returning requests.position, requests.client_id, requests.successor_sha256, requests.successor_access_sha256, requests.request_id, requests.address,
       token.code_id, users.user_id, code.requested_scope, token.scopes as refresh_scopes, ${scopesInForce(requestedScopes)} as access_scopes, ${grantToTouch},
       least(now() + make_interval(secs => requests.access_token_ttl), grants.expires_at, code.family_ends_at) as access_expires_at,
       least(now() + make_interval(secs => requests.refresh_token_ttl), grants.expires_at, code.family_ends_at) as refresh_expires_at
   ), access_token as (
     insert into access_tokens (access_token_sha256, code_id, scopes, expires_at)
     select successor_access_sha256, code_id, access_scopes, access_expires_at
     from rotated
   ), refresh_token as (
     insert into refresh_tokens (refresh_token_sha256, code_id, scopes, expires_at)
     select successor_sha256, code_id, refresh_scopes, refresh_expires_at
     from rotated
   ), audit_event as (
     insert into audit_events (event, user_id, client_id, code_id, request_id, address)
     select 'tokens_refreshed', user_id, client_id, code_id, request_id, address
     from rotated
   )
   select position, access_scopes as scopes, case when access_scopes @> refresh_scopes then requested_scope end as requested_scope,
     ceil(date_part('epoch', access_expires_at - now())) as expires_in, true as has_refresh_token,
     user_id, code_id, grant_to_touch
   from rotated`,
);

export function rotateRefreshToken(database: Database, rotation: Rotation): Promise<NewTokens | undefined> {
  return rotate(database, rotation);
}

/** A refresh token that rotateRefreshToken refused although its family is active: unused or rotated before. */
export interface FoundRefreshToken {
  code_id: string;
  user_id: number;
  scopes: string[];
  is_rotated: boolean;
  /** rotated, and presented after the grace period or after its successor was used: two parties hold the token */
  is_reused: boolean;
  /** what the rotation answered; undefined if the token is not rotated or is reused, or if that access token is not active */
  answer: StoredAnswer | undefined;
}

export interface StoredAnswer extends IssuedTokens {
  successor_salt: Buffer;
  successor_sha256: Buffer;
}

/** The salt is of use only to the holder of the old token (deriveSuccessors). */
const findRefreshTokenStatement = sql(
  'find_refresh_token',
  `select token.code_id, users.user_id, token.scopes, token.successor_salt, token.successor_sha256,
     token.rotated_at is not null as is_rotated,
     token.rotated_at is not null and not ${isRepeatable('$3')} as is_reused,
     ${scopesInForce('access_token.scopes')} as access_scopes,
     case when ${scopesInForce('access_token.scopes')} @> token.scopes then code.requested_scope end as requested_scope,
     ceil(date_part('epoch', access_token.expires_at - now())) as expires_in
   from refresh_tokens token
   join ${familyOfToken}
   left join ${successorOfToken}
   left join access_tokens access_token
     on access_token.access_token_sha256 = token.successor_access_sha256
     and ${isActiveAccessToken('access_token')}
     and ${isActiveRefreshToken('successor')}
   where token.refresh_token_sha256 = $1
     and code.client_id = $2
     and (token.rotated_at is not null or ${isActiveRefreshToken('token')})
     and ${isActiveFamily}`,
);

interface RefreshTokenRow extends Omit<FoundRefreshToken, 'answer'> {
  successor_salt: Buffer | null;
  successor_sha256: Buffer | null;
  access_scopes: string[];
  requested_scope: string | null;
  /** of the access token that the rotation answered; null unless it is active */
  expires_in: number | null;
}

export async function findRefreshToken(
  database: Database,
  refresh_token_sha256: Buffer,
  client_id: string,
  grace: number,
): Promise<FoundRefreshToken | undefined> {
  const values = [refresh_token_sha256, client_id, grace];
  const found = await row<RefreshTokenRow>(database, findRefreshTokenStatement, values);
  return found && { ...found, answer: answerIn(found) };
}

function answerIn(found: RefreshTokenRow): StoredAnswer | undefined {
  const { is_reused, successor_salt, successor_sha256, expires_in, code_id, user_id } = found;
  const { access_scopes: scopes, requested_scope } = found;
  if (is_reused || !successor_salt || !successor_sha256 || expires_in === null) return undefined;
  const issued = { code_id, user_id, scopes, requested_scope, expires_in, has_refresh_token: true };
  return { ...issued, successor_salt, successor_sha256 };
}

const introspectStatement = sql(
  'introspect_refresh_token',
  `select code.client_id, floor(date_part('epoch', token.issued_at)) as iat,
     floor(date_part('epoch', token.expires_at)) as exp, users.user_id, users.username, code.gives_username,
     ${scopesInForce('token.scopes')} as scopes
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
