import { batched } from '../postgres/batches.ts';
import type { Database } from '../postgres/database.ts';
import { isActiveFamily, isActiveRefreshToken, scopesInForce } from './active.ts';
import type { Trace } from './audit-events.ts';
import type { NewTokens } from './authorization-codes.ts';
import { staleGrant } from './last-use.ts';

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

/** Narrower than before, never wider [6749 §6]; the successor is not narrowed, so that the next refresh may ask for all again. */
const wanted = `coalesce(string_to_array(asked.scope, ' '), token.scopes)`;

/** Rotates a refresh token: the same shape, and the same guarantee, as the redemption of a code. */
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
  (asked) => `with rotated as (
     update refresh_tokens token
     set rotated_at = now(),
       successor_salt = asked.successor_salt,
       successor_sha256 = asked.successor_sha256,
       successor_access_sha256 = asked.successor_access_sha256
     from ${asked}, authorization_codes code, grants, users, clients
     where token.refresh_token_sha256 = asked.refresh_token_sha256
       and ${isActiveRefreshToken('token')}
       and ${wanted} <@ token.scopes
       and code.code_id = token.code_id
       and code.client_id = asked.client_id
       and clients.client_id = code.client_id
       and case when asked.secret_sha256 is null then clients.secrets_sha256 = '{}' else asked.secret_sha256 = any (clients.secrets_sha256) end
       and 'refresh_token' = any (clients.grant_types)
       and grants.grant_id = code.grant_id
       and users.user_id = grants.user_id
       and ${isActiveFamily}
       and ${scopesInForce(wanted)} <> '{}'
     returning asked.place, asked.client_id, asked.successor_sha256, asked.successor_access_sha256, asked.request_id, asked.address,
       token.code_id, users.user_id, token.scopes as refresh_scopes, ${scopesInForce(wanted)} as access_scopes, ${staleGrant},
       least(now() + make_interval(secs => asked.access_token_ttl), grants.expires_at, code.family_ends_at) as access_expires_at,
       least(now() + make_interval(secs => asked.refresh_token_ttl), grants.expires_at, code.family_ends_at) as refresh_expires_at
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
   select place, access_scopes as scopes,
     ceil(date_part('epoch', access_expires_at - now())) as expires_in, true as has_refresh_token,
     user_id, code_id, stale_grant_id
   from rotated`,
);

export function rotateRefreshToken(database: Database, rotation: Rotation): Promise<NewTokens | undefined> {
  return rotate(database, rotation);
}

/** Whether the answer to a rotated token may be given once more: within the grace, while the successor is unused. */
export const isRepeatable = (grace: string) => `(token.rotated_at > now() - make_interval(secs => ${grace})
     and successor.rotated_at is null)`;
export const successorOfToken = 'refresh_tokens successor on successor.refresh_token_sha256 = token.successor_sha256';
