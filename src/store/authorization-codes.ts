import { batched } from '../postgres/batches.ts';
import type { Database } from '../postgres/database.ts';
import type { Binding } from '../protocol/binding.ts';
import { profilesThatNeedPkce } from '../protocol/client-profile.ts';
import { type TokenFormatName, thisServer } from '../protocol/resource.ts';
import { type AccessTokenFacts, inSeconds, revokedAtOfAccessToken } from './access-tokens.ts';
import {
  isActiveFamily,
  isAuthenticated,
  isRedeemable,
  isUnrevoked,
  refusedByOlderVersions,
  scopesInForceAt,
} from './active.ts';
import type { Trace } from './audit.ts';
import { firstRefreshBinding, isBound, newBinding, type ProvenKeys, provenKeyColumns } from './bindings.ts';
import { grantToTouch } from './grants.ts';
import { accessTokenTtlAt, isAuthorizedResource, isWritable, newResource, tokenFormatAt } from './resources.ts';

export interface NewAuthorizationCode {
  code_sha256: Buffer;
  grant_id: string;
  redirect_uri: string;
  /** whether the authorization request carried it, so that the token request must repeat it [6749 §4.1.3] */
  redirect_uri_sent: boolean;
  code_challenge: string | undefined;
  binding: Binding;
  scope: string;
  requested_scope: string | undefined;
  gives_username: boolean;
  /** separated by spaces */
  resources: string;
  ttl: number;
}

const issueCode = batched<NewAuthorizationCode, object>(
  'issue_authorization_code',
  {
    code_sha256: 'bytea',
    grant_id: 'bigint',
    redirect_uri: 'text',
    redirect_uri_sent: 'boolean',
    code_challenge: 'text',
    binding: 'text',
    scope: 'text',
    requested_scope: 'text',
    gives_username: 'boolean',
    resources: 'text',
    ttl: 'integer',
  },
  (requests) => `with allowed as (
     select requests.*, grants.client_id
     from ${requests}
     join grants on grants.grant_id = requests.grant_id
     where ${isUnrevoked('grants')}
     for key share of grants
   ), issued as (
     insert into authorization_codes
       (code_sha256, grant_id, client_id, redirect_uri, redirect_uri_sent, code_challenge, binding, scopes, requested_scope, gives_username,
       resources, expires_at, revoked_at)
     select code_sha256, grant_id, client_id, redirect_uri, redirect_uri_sent, code_challenge, binding, string_to_array(scope, ' '),
       requested_scope, gives_username, string_to_array(resources, ' '), now() + make_interval(secs => ttl),
       ${refusedByOlderVersions(`binding is not null or resources <> '${thisServer}'`)}
     from allowed
   )
   select position from allowed`,
);

/** False when the grant was revoked meanwhile. */
export async function issueAuthorizationCode(database: Database, code: NewAuthorizationCode): Promise<boolean> {
  return (await issueCode(database, code)) !== undefined;
}

export interface CodeRedemption extends Trace, ProvenKeys {
  code_sha256: Buffer;
  client_id: string;
  /** how the client authenticates */
  method: string;
  secret_sha256: Buffer | null;
  redirect_uri: string | undefined;
  code_challenge: string | undefined;
  resource: string | undefined;
  /** see isWritable */
  can_sign: boolean;
  access_token_sha256: Buffer;
  refresh_token_sha256: Buffer;
  access_token_ttl: number;
  refresh_token_ttl: number;
}

export interface IssuedTokens extends Omit<AccessTokenFacts, 'client_id'> {
  /** of the access token */
  token_format: TokenFormatName;
  scopes: string[];
  /** how the client spelled them; null unless these are all that it asked for */
  requested_scope: string | null;
  expires_in: number;
  /** of the refresh token; null if there is none */
  refresh_expires_in: number | null;
  code_id: string;
}

export interface NewTokens extends IssuedTokens {
  /** see grantToTouch */
  grant_to_touch: string | null;
}

/** A family ends after this many lifetimes of a refresh token, however often it is refreshed [9700 §4.14.2]. */
const familyLifetimes = 12;

/** A grant for one time ends with its access token. */
const hasRefreshToken = `(grants.duration <> 'once' and 'refresh_token' = any (clients.grant_types))`;

/** A code may be older than the profile of its client. */
const hasPkceIfNeeded = `(code.code_challenge is not null or coalesce(clients.profile, 'standard') <> all ('{${profilesThatNeedPkce.join()}}'))`;

const newScopes = scopesInForceAt(newResource, 'code.scopes');
const accessTokenTtl = accessTokenTtlAt(newResource, 'requests.access_token_ttl');

/**
 * Redeems a code and issues its tokens, all or nothing, once under any concurrency: of two simultaneous redemptions the
 * second waits for the row lock, evaluates the conditions again and finds the code redeemed. Each line of `where` is a rule
 * of RFC 6749 §4.1.3: the client is the one to which the code was issued, and has authenticated (a public client has no
 * secret); the redirection URI and the PKCE challenge equal those of the authorization request [7636 §4.6], and a verifier
 * without a challenge is refused as well as a challenge without a verifier; the resource is one of that request [8707 §2.2].
 */
const redeemCode = batched<CodeRedemption, NewTokens>(
  'redeem_authorization_code',
  {
    code_sha256: 'bytea',
    client_id: 'text',
    method: 'text',
    secret_sha256: 'bytea',
    ...provenKeyColumns,
    redirect_uri: 'text',
    code_challenge: 'text',
    resource: 'text',
    can_sign: 'boolean',
    access_token_sha256: 'bytea',
    refresh_token_sha256: 'bytea',
    access_token_ttl: 'integer',
    refresh_token_ttl: 'integer',
    request_id: 'text',
    address: 'text',
  },
  (requests) => `with redeemed as (
     update authorization_codes code
     set redeemed_at = now(),
       revoked_at = coalesce(code.revoked_at, ${refusedByOlderVersions(`${newBinding} is not null`)}),
       family_ends_at = now() + make_interval(secs => greatest(
         requests.access_token_ttl, case when ${hasRefreshToken} then requests.refresh_token_ttl * ${familyLifetimes}.0 end))
     from ${requests}, grants, users, clients
     where code.code_sha256 = requests.code_sha256
       and code.client_id = requests.client_id
       and ${isRedeemable('code')}
       and code.code_challenge is not distinct from requests.code_challenge
       and (code.redirect_uri = requests.redirect_uri or (requests.redirect_uri is null and not code.redirect_uri_sent))
       and clients.client_id = code.client_id
       and ${hasPkceIfNeeded}
       and ${isAuthenticated}
       and 'authorization_code' = any (clients.grant_types)
       and grants.grant_id = code.grant_id
       and users.user_id = grants.user_id
       and ${isActiveFamily}
       and ${isBound('code.binding')}
       and ${isAuthorizedResource}
       and ${isWritable}
       and ${newScopes} <> '{}'
     returning requests.position, requests.client_id, requests.access_token_sha256, requests.refresh_token_sha256, requests.request_id, requests.address,
       code.code_id, code.requested_scope, code.scopes as refresh_scopes, ${newScopes} as access_scopes,
       ${newResource} as resource, ${newBinding} as binding, ${firstRefreshBinding} as refresh_binding,
       users.user_id, ${grantToTouch},
       least(now() + make_interval(secs => ${accessTokenTtl}), grants.expires_at) as access_expires_at,
       least(now() + make_interval(secs => requests.refresh_token_ttl), grants.expires_at) as refresh_expires_at,
       ${hasRefreshToken} as has_refresh_token
   ), access_token as (
     insert into access_tokens (access_token_sha256, code_id, scopes, resource, binding, expires_at, revoked_at)
     select access_token_sha256, code_id, access_scopes, resource, binding, access_expires_at, ${revokedAtOfAccessToken}
     from redeemed
   ), refresh_token as (
     insert into refresh_tokens (refresh_token_sha256, code_id, scopes, binding, expires_at)
     select refresh_token_sha256, code_id, refresh_scopes, refresh_binding, refresh_expires_at
     from redeemed
     where has_refresh_token
   ), audit_event as (
     insert into audit_events (event, user_id, client_id, code_id, request_id, address)
     select 'tokens_issued', user_id, client_id, code_id, request_id, address
     from redeemed
   )
   select position, resource, binding, access_scopes as scopes, case when access_scopes @> refresh_scopes then requested_scope end as requested_scope,
     ceil(date_part('epoch', access_expires_at - now())) as expires_in,
     case when has_refresh_token then ceil(date_part('epoch', refresh_expires_at - now())) end as refresh_expires_in,
     user_id, code_id, grant_to_touch,
     ${tokenFormatAt('resource')} as token_format, ${inSeconds('now()')} as iat, ${inSeconds('access_expires_at')} as exp
   from redeemed`,
);

export function redeemAuthorizationCode(database: Database, code: CodeRedemption): Promise<NewTokens | undefined> {
  return redeemCode(database, code);
}
