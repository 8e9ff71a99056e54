import type { Trace } from './audit-events.ts';
import type { IssuedTokens } from './authorization-codes.ts';
import { type Database, row, sql } from './database.ts';
import { type NarrowedScopes, withGrantedScopes } from './granted-scopes.ts';

export interface Rotation {
  refresh_token_sha256: Buffer;
  client_id: string;
  secret_sha256: Buffer | null;
  /** narrower than before, never wider [6749 §6] */
  scopes: string[] | undefined;
  successor_salt: Buffer;
  successor_sha256: Buffer;
  successor_access_sha256: Buffer;
  access_token_ttl: number;
  refresh_token_ttl: number;
  trace: Trace;
}

/** However often it is refreshed, a family ends after this many lifetimes of a refresh token [9700 §4.14.2]. */
export const mostLifetimes = 12;

/** Rotates a refresh token: the same shape, and the same guarantee, as the redemption of a code. */
const rotateStatement = sql(
  'rotate_refresh_token',
  `with rotated as (
     update refresh_tokens token
     set rotated_at = now(),
       successor_salt = $5,
       successor_sha256 = $6,
       successor_access_sha256 = $7
     from authorization_codes code, clients
     where token.refresh_token_sha256 = $1
       and token.rotated_at is null
       and token.expires_at > now()
       and ($4::text[] is null or $4 <@ token.scopes)
       and code.code_id = token.code_id
       and code.client_id = $2
       and code.revoked_at is null
       and clients.client_id = code.client_id
       and clients.disabled_at is null
       and case when $3::bytea is null then clients.secrets_sha256 = '{}' else $3 = any (clients.secrets_sha256) end
       and 'refresh_token' = any (clients.grant_types)
       and coalesce($4, token.scopes) <@ clients.scopes
       and code.grant_ends_at > now()
       and coalesce($4, token.scopes) && code.granted_scopes
     returning token.code_id, code.client_id, code.user_id, token.scopes as refresh_scopes, coalesce($4, token.scopes) as access_scopes,
       case when not coalesce($4, token.scopes) <@ code.granted_scopes then code.granted_scopes end as granted_scopes,
       least(now() + make_interval(secs => $8), code.grant_ends_at) as access_expires_at,
       least(now() + make_interval(secs => $9), code.grant_ends_at,
         code.issued_at + make_interval(secs => $9 * ${mostLifetimes})) as refresh_expires_at
   ), access_token as (
     insert into access_tokens (access_token_sha256, code_id, scopes, expires_at)
     select $7, code_id, access_scopes, access_expires_at
     from rotated
   ), refresh_token as (
     insert into refresh_tokens (refresh_token_sha256, code_id, scopes, expires_at)
     select $6, code_id, refresh_scopes, refresh_expires_at
     from rotated
   ), audit_event as (
     insert into audit_token_events (event, user_id, client_id, code_id, request_id, address)
     select 'tokens_refreshed', user_id, client_id, code_id, $10, $11
     from rotated
   )
   select access_scopes as scopes, granted_scopes,
     ceil(date_part('epoch', access_expires_at - now()))::integer as expires_in, true as has_refresh_token,
     user_id, code_id
   from rotated`,
);

export async function rotateRefreshToken(database: Database, rotation: Rotation): Promise<IssuedTokens | undefined> {
  const rotated = await row<IssuedTokens & NarrowedScopes>(database, rotateStatement, [
    rotation.refresh_token_sha256,
    rotation.client_id,
    rotation.secret_sha256,
    rotation.scopes ?? null,
    rotation.successor_salt,
    rotation.successor_sha256,
    rotation.successor_access_sha256,
    rotation.access_token_ttl,
    rotation.refresh_token_ttl,
    rotation.trace.request_id,
    rotation.trace.address,
  ]);
  return rotated && withGrantedScopes(rotated);
}
