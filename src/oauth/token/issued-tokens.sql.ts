import { accessTokenTtl, newResource, tokenFormatAt } from '../../catalogue/resources.sql.ts';
import { newBinding } from '../../clients/bindings.sql.ts';
import { subjectOf } from '../../identity/active.sql.ts';
import type { TokenFormatName } from '../../lib/resource.ts';
import { grantToTouch } from '../consent/grants.sql.ts';
import { type AccessTokenFacts, inSeconds, type KnownSignIn, knownSignIn } from '../resource/access-tokens.sql.ts';

// What the exchange of a code and a refresh have in common: the tokens that they issue, the audit event, and the answer.

export interface IssuedTokens extends Omit<AccessTokenFacts, 'client_id'>, KnownSignIn {
  /** of the access token */
  token_format: TokenFormatName;
  scopes: string[];
  /** how the client spelled them; null unless these are all that it asked for */
  requested_scope: string | null;
  expires_in: number;
  /** of the refresh token; null if there is none */
  refresh_expires_in: number | null;
  /** of what the person allowed; null if that has no end */
  grant_expires_in: number | null;
  code_id: string;
}

export interface NewTokens extends IssuedTokens {
  /** see grantToTouch */
  grant_to_touch: string | null;
}

/** The columns of `requests` from which the tokens are made. */
export const issueColumns = {
  access_token_sha256: 'bytea',
  access_token_ttl: 'integer',
  request_id: 'text',
  address: 'text',
} as const;

/** What `granted` selects of the access token, beside refresh_expires_at. */
export const accessTokenOf = (
  scopes: string,
  ...ends: string[]
) => `requests.position, requests.client_id, requests.access_token_sha256, requests.request_id, requests.address,
       code.code_id, code.scopes as family_scopes, code.requested_scope, users.user_id, ${subjectOf('users')} as sub, ${grantToTouch}, ${knownSignIn},
       ${scopes} as access_scopes, ${newResource} as resource, ${newBinding} as binding, grants.expires_at as grant_expires_at,
       least(now() + make_interval(secs => ${accessTokenTtl}), ${ends.join(', ')}) as access_expires_at`;

/** Stores the access token of each row of `granted`, which has no refresh_expires_at where no refresh token is issued, and answers. */
export const issueTokens = (event: 'tokens_issued' | 'tokens_refreshed') => `access_token as (
     insert into access_tokens (access_token_sha256, code_id, scopes, resource, binding, expires_at)
     select access_token_sha256, code_id, access_scopes, resource, binding, access_expires_at
     from granted
   ), audit_event as (
     insert into routine_events (event, user_id, client_id, code_id, request_id, address)
     select '${event}', user_id, client_id, code_id, request_id, address
     from granted
   )
   select position, resource, binding, access_scopes as scopes, case when access_scopes @> family_scopes then requested_scope end as requested_scope,
     ceil(date_part('epoch', access_expires_at - now())) as expires_in,
     ceil(date_part('epoch', refresh_expires_at - now())) as refresh_expires_in,
     ceil(date_part('epoch', grant_expires_at - now())) as grant_expires_in,
     user_id, sub, code_id, grant_to_touch, acr, auth_time,
     ${tokenFormatAt('resource')} as token_format, ${inSeconds('now()')} as iat, ${inSeconds('access_expires_at')} as exp
   from granted`;
