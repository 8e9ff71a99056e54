import { batched } from '../postgres/batches.ts';
import type { Database } from '../postgres/database.ts';
import { profilesThatKeepRefreshTokens } from '../protocol/client-profile.ts';
import { inSeconds, revokedAtOfAccessToken } from './access-tokens.ts';
import { isActiveFamily, isActiveRefreshToken, isAuthenticated, scopesInForceAt } from './active.ts';
import type { Trace } from './audit.ts';
import type { NewTokens } from './authorization-codes.ts';
import { isBound, newBinding, nextRefreshBinding, type ProvenKeys, provenKeyColumns } from './bindings.ts';
import { grantToTouch } from './grants.ts';
import { accessTokenTtlAt, isAuthorizedResource, isWritable, newResource, tokenFormatAt } from './resources.ts';

export interface Refresh extends Trace, ProvenKeys {
  refresh_token_sha256: Buffer;
  client_id: string;
  /** how the client authenticates */
  method: string;
  secret_sha256: Buffer | null;
  scope: string | undefined;
  resource: string | undefined;
  /** see isWritable */
  can_sign: boolean;
  access_token_sha256: Buffer;
  access_token_ttl: number;
}

export interface Rotation extends Refresh {
  successor_salt: Buffer;
  successor_sha256: Buffer;
  refresh_token_ttl: number;
}

const refreshColumns = {
  refresh_token_sha256: 'bytea',
  client_id: 'text',
  method: 'text',
  secret_sha256: 'bytea',
  ...provenKeyColumns,
  scope: 'text',
  resource: 'text',
  can_sign: 'boolean',
  access_token_sha256: 'bytea',
  access_token_ttl: 'integer',
  request_id: 'text',
  address: 'text',
} as const;

const rotates = `coalesce(clients.profile, 'standard') <> all ('{${profilesThatKeepRefreshTokens.join()}}')`;

/**
 * The scopes of the new access token; all of the refresh token's if the request names none. The successor keeps all of them,
 * so that a later refresh can ask for more again, up to what was granted [6749 §6].
 */
const requestedScopes = `coalesce(string_to_array(requests.scope, ' '), token.scopes)`;

const newScopes = scopesInForceAt(newResource, requestedScopes);
const accessTokenTtl = accessTokenTtlAt(newResource, 'requests.access_token_ttl');

const tables = (requests: string) => `${requests}, authorization_codes code, grants, users, clients`;

const isRefreshable = `token.refresh_token_sha256 = requests.refresh_token_sha256
       and ${isActiveRefreshToken('token')}
       and ${requestedScopes} <@ token.scopes
       and code.code_id = token.code_id
       and code.client_id = requests.client_id
       and clients.client_id = code.client_id
       and ${isAuthenticated}
       and 'refresh_token' = any (clients.grant_types)
       and grants.grant_id = code.grant_id
       and users.user_id = grants.user_id
       and ${isActiveFamily}
       and ${isBound('token.binding')}
       and ${isAuthorizedResource}
       and ${isWritable}
       and ${newScopes} <> '{}'`;

const facts = `requests.position, requests.client_id, requests.access_token_sha256, requests.request_id, requests.address,
       token.code_id, users.user_id, code.requested_scope, token.scopes as refresh_scopes, ${newScopes} as access_scopes, ${newResource} as resource, ${newBinding} as binding, ${grantToTouch},
       least(now() + make_interval(secs => ${accessTokenTtl}), grants.expires_at, code.family_ends_at) as access_expires_at`;

const issueAccessToken = `access_token as (
     insert into access_tokens (access_token_sha256, code_id, scopes, resource, binding, expires_at, revoked_at)
     select access_token_sha256, code_id, access_scopes, resource, binding, access_expires_at, ${revokedAtOfAccessToken}
     from refreshed
   ), audit_event as (
     insert into audit_events (event, user_id, client_id, code_id, request_id, address)
     select 'tokens_refreshed', user_id, client_id, code_id, request_id, address
     from refreshed
   )`;

const answer = `position, resource, binding, access_scopes as scopes, case when access_scopes @> refresh_scopes then requested_scope end as requested_scope,
     ceil(date_part('epoch', access_expires_at - now())) as expires_in, user_id, code_id, grant_to_touch,
     ${tokenFormatAt('resource')} as token_format, ${inSeconds('now()')} as iat, ${inSeconds('access_expires_at')} as exp`;

/** Rotates a refresh token once under any concurrency, in the way in which redeemAuthorizationCode redeems a code. */
const rotate = batched<Rotation, NewTokens>(
  'rotate_refresh_token',
  { ...refreshColumns, successor_salt: 'bytea', successor_sha256: 'bytea', refresh_token_ttl: 'integer' },
  (requests) => `with refreshed as (
     update refresh_tokens token
     set rotated_at = now(),
       successor_salt = requests.successor_salt,
       successor_sha256 = requests.successor_sha256,
       successor_access_sha256 = requests.access_token_sha256
     from ${tables(requests)}
     where ${isRefreshable}
       and ${rotates}
     returning ${facts}, requests.successor_sha256, ${nextRefreshBinding} as refresh_binding,
       least(now() + make_interval(secs => requests.refresh_token_ttl), grants.expires_at, code.family_ends_at) as refresh_expires_at
   ), ${issueAccessToken}, refresh_token as (
     insert into refresh_tokens (refresh_token_sha256, code_id, scopes, binding, expires_at)
     select successor_sha256, code_id, refresh_scopes, refresh_binding, refresh_expires_at
     from refreshed
   )
   select ${answer}, ceil(date_part('epoch', refresh_expires_at - now())) as refresh_expires_in
   from refreshed`,
);

export function rotateRefreshToken(database: Database, rotation: Rotation): Promise<NewTokens | undefined> {
  return rotate(database, rotation);
}

/** Issues an access token and keeps the refresh token, for a client whose profile wants that. */
const keep = batched<Refresh, NewTokens>(
  'keep_refresh_token',
  refreshColumns,
  (requests) => `with refreshed as (
     select ${facts}
     from refresh_tokens token, ${tables(requests)}
     where ${isRefreshable}
       and not (${rotates})
   ), ${issueAccessToken}
   select ${answer}, null::integer as refresh_expires_in
   from refreshed`,
);

export function keepRefreshToken(database: Database, refresh: Refresh): Promise<NewTokens | undefined> {
  return keep(database, refresh);
}
