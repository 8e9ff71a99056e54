import { batched } from '../postgres/batches.ts';
import type { Database } from '../postgres/database.ts';
import { isActiveFamily, isRedeemable, isUnrevoked, scopesInForce } from './active.ts';
import type { Trace } from './audit-events.ts';
import { staleGrant } from './last-use.ts';

export interface NewAuthorizationCode {
  code_sha256: Buffer;
  grant_id: string;
  redirect_uri: string;
  /** whether the token request must repeat it [6749 §4.1.3] */
  redirect_uri_sent: boolean;
  code_challenge: string | undefined;
  scope: string;
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
    scope: 'text',
    ttl: 'integer',
  },
  (asked) => `with allowed as (
     select asked.*, grants.client_id
     from ${asked}
     join grants on grants.grant_id = asked.grant_id
     where ${isUnrevoked('grants')}
     for key share of grants
   ), issued as (
     insert into authorization_codes
       (code_sha256, grant_id, client_id, redirect_uri, redirect_uri_sent, code_challenge, scopes, expires_at)
     select code_sha256, grant_id, client_id, redirect_uri, redirect_uri_sent, code_challenge, string_to_array(scope, ' '),
       now() + make_interval(secs => ttl)
     from allowed
   )
   select place from allowed`,
);

/** False when the grant was revoked a moment ago. */
export async function issueAuthorizationCode(database: Database, code: NewAuthorizationCode): Promise<boolean> {
  return (await issueCode(database, code)) !== undefined;
}

export interface CodeRedemption extends Trace {
  code_sha256: Buffer;
  client_id: string;
  secret_sha256: Buffer | null;
  redirect_uri: string | undefined;
  code_challenge: string | undefined;
  access_token_sha256: Buffer;
  refresh_token_sha256: Buffer;
  access_token_ttl: number;
  refresh_token_ttl: number;
}

export interface IssuedTokens {
  scopes: string[];
  expires_in: number;
  has_refresh_token: boolean;
  user_id: number;
  code_id: string;
}

export interface NewTokens extends IssuedTokens {
  /** see staleGrant */
  stale_grant_id: string | null;
}

/** However often it is refreshed, a family ends after this many lifetimes of a refresh token [9700 §4.14.2]. */
const mostLifetimes = 12;

/** A grant for once ends with its access token. */
const hasRefreshToken = `(grants.duration <> 'once' and 'refresh_token' = any (clients.grant_types))`;

/**
 * Redeems a code and issues its tokens, all or nothing, once under any concurrency: of two simultaneous redemptions the
 * later waits for the row, looks at it again and finds it redeemed. Each line of the where is a rule of RFC 6749 §4.1.3:
 * the client is the one the code was issued to and has authenticated (a public client: has no secret at all), the
 * redirection URI and the PKCE challenge are the ones of the request [7636 §4.6], neither missing where there was one
 * nor present where there was none.
 */
const redeemCode = batched<CodeRedemption, NewTokens>(
  'redeem_authorization_code',
  {
    code_sha256: 'bytea',
    client_id: 'text',
    secret_sha256: 'bytea',
    redirect_uri: 'text',
    code_challenge: 'text',
    access_token_sha256: 'bytea',
    refresh_token_sha256: 'bytea',
    access_token_ttl: 'integer',
    refresh_token_ttl: 'integer',
    request_id: 'text',
    address: 'text',
  },
  (asked) => `with redeemed as (
     update authorization_codes code
     set redeemed_at = now(),
       family_ends_at = now() + make_interval(secs => greatest(
         asked.access_token_ttl, case when ${hasRefreshToken} then asked.refresh_token_ttl * ${mostLifetimes}.0 end))
     from ${asked}, grants, users, clients
     where code.code_sha256 = asked.code_sha256
       and code.client_id = asked.client_id
       and ${isRedeemable('code')}
       and code.code_challenge is not distinct from asked.code_challenge
       and (code.redirect_uri = asked.redirect_uri or (asked.redirect_uri is null and not code.redirect_uri_sent))
       and clients.client_id = code.client_id
       and case when asked.secret_sha256 is null then clients.secrets_sha256 = '{}' else asked.secret_sha256 = any (clients.secrets_sha256) end
       and 'authorization_code' = any (clients.grant_types)
       and grants.grant_id = code.grant_id
       and users.user_id = grants.user_id
       and ${isActiveFamily}
       and ${scopesInForce('code.scopes')} <> '{}'
     returning asked.place, asked.client_id, asked.access_token_sha256, asked.refresh_token_sha256, asked.request_id, asked.address,
       code.code_id, code.scopes as refresh_scopes, ${scopesInForce('code.scopes')} as access_scopes, users.user_id, ${staleGrant},
       least(now() + make_interval(secs => asked.access_token_ttl), grants.expires_at) as access_expires_at,
       least(now() + make_interval(secs => asked.refresh_token_ttl), grants.expires_at) as refresh_expires_at,
       ${hasRefreshToken} as has_refresh_token
   ), access_token as (
     insert into access_tokens (access_token_sha256, code_id, scopes, expires_at)
     select access_token_sha256, code_id, access_scopes, access_expires_at
     from redeemed
   ), refresh_token as (
     insert into refresh_tokens (refresh_token_sha256, code_id, scopes, expires_at)
     select refresh_token_sha256, code_id, refresh_scopes, refresh_expires_at
     from redeemed
     where has_refresh_token
   ), audit_event as (
     insert into audit_events (event, user_id, client_id, code_id, request_id, address)
     select 'tokens_issued', user_id, client_id, code_id, request_id, address
     from redeemed
   )
   select place, access_scopes as scopes, ceil(date_part('epoch', access_expires_at - now())) as expires_in, has_refresh_token,
     user_id, code_id, stale_grant_id
   from redeemed`,
);

export function redeemAuthorizationCode(database: Database, code: CodeRedemption): Promise<NewTokens | undefined> {
  return redeemCode(database, code);
}
