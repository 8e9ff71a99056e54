import type { Trace } from '../../audit/audit.sql.ts';
import {
  accessTokenTtl,
  type NamedResource,
  namedResourceColumns,
  newResource,
  tokenFormatAt,
} from '../../catalogue/resources.sql.ts';
import { allHold, type PresentedClient, presentedClientColumns } from '../../clients/client-rules.sql.ts';
import {
  firstRefreshBinding,
  newBinding,
  nextRefreshBinding,
  type ProvenKeys,
  provenKeyColumns,
} from '../../clients/key-binding.sql.ts';
import {
  type ProofDigests,
  type ProofParts,
  unlessUsedMeanwhile,
  withoutProofs,
  withProofs,
} from '../../clients/used-proofs.sql.ts';
import { isUnrevoked, subjectOf } from '../../identity/active.sql.ts';
import { isOfLastEnd } from '../../identity/sessions.sql.ts';
import type { Binding } from '../../lib/binding.ts';
import type { PresentedToken } from '../../lib/refresh-token.ts';
import type { TokenFormatName } from '../../lib/resource.ts';
import { offlineAccess } from '../../lib/scope.ts';
import { profilesThatKeepRefreshTokens } from '../../lib/security-profile.ts';
import type { Level } from '../../lib/sign-in-level.ts';
import { batched } from '../../postgres/batches.ts';
import type { Database } from '../../postgres/database.ts';
import { answering } from '../authorize/pushed-requests.sql.ts';
import { choicesOfToken, type LookedUp, lookedUpColumns } from '../choice/choice-rules.sql.ts';
import type { Choices } from '../choice/choices.ts';
import { grantToTouch } from '../consent/last-use.sql.ts';
import { redemptionRules, refreshRules, scopesOfCode, scopesOfRefresh } from '../rules.sql.ts';
import { type AccessTokenFacts, inSeconds, type KnownSignIn, knownSignIn } from './token-facts.sql.ts';

// The row of a code: /authorize issues it, /token redeems it, and from then on it is the row of the family, which each refresh changes.

export interface NewAuthorizationCode {
  code_sha256: Buffer;
  /** the session that asks */
  sid_sha256: Buffer;
  grant_id: string;
  redirect_uri: string;
  /** whether the authorization request carried the redirection URI, so that the token request must repeat it [6749 §4.1.3] */
  redirect_uri_sent: boolean;
  code_challenge: string | undefined;
  binding: Binding;
  scope: string;
  choices?: string | undefined;
  /** what the client asked for, if that is more than `scope` */
  asked_scope?: string | undefined;
  requested_scope: string | undefined;
  gives_username: boolean;
  /** resources, separated by spaces */
  resources: string;
  ttl: number;
  /** the time of the sign-in, in the form of ISO 8601; undefined if it is unknown */
  auth_time: string | undefined;
  acr: Level;
}

const codeColumns = {
  code_sha256: 'bytea',
  sid_sha256: 'bytea',
  grant_id: 'bigint',
  redirect_uri: 'text',
  redirect_uri_sent: 'boolean',
  code_challenge: 'text',
  binding: 'text',
  scope: 'text',
  choices: 'text',
  asked_scope: 'text',
  requested_scope: 'text',
  gives_username: 'boolean',
  resources: 'text',
  ttl: 'integer',
  auth_time: 'text',
  acr: 'integer',
} as const;

/** A session that is being ended is skipped; whoever ends it a moment later waits for the code, and can revoke it, too. */
const allowedIn = (requests: string) => `allowed as (
     select requests.*, grants.client_id, (sessions.data ->> 'provider_session_id')::bigint as provider_session_id
     from ${requests}
     join grants on grants.grant_id = requests.grant_id
     join sessions on sessions.sid_sha256 = requests.sid_sha256
     join users on users.user_id = sessions.user_id
     where ${isUnrevoked('grants')}
       and ${isOfLastEnd}
     for key share of grants
     for key share of sessions skip locked
   )`;

const issuedFrom = (table: string) => `issued as (
     insert into authorization_codes
       (code_sha256, grant_id, client_id, redirect_uri, redirect_uri_sent, code_challenge, binding, scopes, choices, asked_scopes, requested_scope, gives_username,
       resources, expires_at, auth_time, acr, provider_session_id)
     select code_sha256, grant_id, client_id, redirect_uri, redirect_uri_sent, code_challenge, binding, string_to_array(scope, ' '), choices::jsonb,
       string_to_array(asked_scope, ' '), requested_scope, gives_username, string_to_array(resources, ' '), now() + make_interval(secs => ttl),
       case when auth_time is not null then least(auth_time::timestamptz, now()) end, acr, provider_session_id
     from ${table}
   )`;

interface IssuedCode {
  /** false: the pushed request was answered before, and no code was issued */
  is_open: boolean;
}

const issueCode = batched<NewAuthorizationCode, IssuedCode>(
  'issue_authorization_code',
  codeColumns,
  (requests) => `with ${allowedIn(requests)}, ${issuedFrom('allowed')}
   select position, true as is_open from allowed`,
);

const answerPushedRequest = batched<NewAuthorizationCode & { request_sha256: Buffer }, IssuedCode>(
  'answer_pushed_request',
  { request_sha256: 'bytea', ...codeColumns },
  (
    requests,
  ) => `with ${allowedIn(requests)}, ${answering('allowed')}, ${issuedFrom('allowed join answered using (position)')}
   select position, answered.position is not null as is_open
   from allowed
   left join answered using (position)`,
);

/** Undefined when the grant was revoked, or the session ended, meanwhile. A code that answers a pushed request uses it up. */
export function issueAuthorizationCode(
  database: Database,
  { request_sha256, ...code }: NewAuthorizationCode & { request_sha256?: Buffer | undefined },
): Promise<IssuedCode | undefined> {
  return request_sha256 ? answerPushedRequest(database, { request_sha256, ...code }) : issueCode(database, code);
}

// What the exchange of a code and a refresh have in common: how they issue tokens, the audit event, and the answer.

export interface IssuedTokens extends Omit<AccessTokenFacts, 'client_id'>, KnownSignIn {
  /** the format of the access token */
  token_format: TokenFormatName;
  scopes: string[];
  /** what the token may show; null if none of its scopes has a choice */
  choices: Choices | null;
  /** the scopes as the client spelled them; null unless these are all that the client asked for */
  requested_scope: string | null;
  /** whether the authorization request asked for offline_access */
  asks_offline_access: boolean;
  expires_in: number;
  /** seconds until the refresh token expires; null if there is no refresh token */
  refresh_expires_in: number | null;
  /** seconds until the grant ends; null if it has no end */
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

/** Whether the authorization request of a family asked for offline_access. */
export const asksOffline = `coalesce('${offlineAccess}' = any (code.asked_scopes), false) as asks_offline_access`;

/** What `granted` selects of the access token, beside refresh_expires_at. */
export const accessTokenOf = (
  scopes: string,
  ...ends: string[]
) => `requests.position, requests.client_id, requests.access_token_sha256, requests.request_id, requests.address,
       code.code_id, code.scopes as family_scopes, code.requested_scope, ${asksOffline}, users.user_id, ${subjectOf('users')} as sub, ${grantToTouch}, ${knownSignIn},
       ${scopes} as access_scopes, ${choicesOfToken(scopes)}, ${newResource} as resource, ${newBinding} as binding, grants.expires_at as grant_expires_at,
       least(now() + make_interval(secs => ${accessTokenTtl}), ${ends.join(', ')}) as access_expires_at`;

/** Stores the access token of each row of `granted`, which has no refresh_expires_at where no refresh token is issued, and answers. */
export const issueTokens = (event: 'tokens_issued' | 'tokens_refreshed') => `access_token as (
     insert into access_tokens (access_token_sha256, code_id, scopes, choices, resource, binding, expires_at)
     select access_token_sha256, code_id, access_scopes, access_choices, resource, binding, access_expires_at
     from granted
   ), audit_event as (
     insert into routine_events (event, user_id, client_id, code_id, request_id, address)
     select '${event}', user_id, client_id, code_id, request_id, address
     from granted
   )
   select position, resource, binding, access_scopes as scopes, choices, case when access_scopes @> family_scopes then requested_scope end as requested_scope, asks_offline_access,
     ceil(date_part('epoch', access_expires_at - now())) as expires_in,
     ceil(date_part('epoch', refresh_expires_at - now())) as refresh_expires_in,
     ceil(date_part('epoch', grant_expires_at - now())) as grant_expires_in,
     user_id, sub, code_id, grant_to_touch, acr, auth_time,
     ${tokenFormatAt('resource')} as token_format, ${inSeconds('now()')} as iat, ${inSeconds('access_expires_at')} as exp
   from granted`;

/** What the rules of a redemption look at. */
export interface PresentedCode extends PresentedClient, ProvenKeys, NamedResource, LookedUp {
  code_sha256: Buffer;
  redirect_uri: string | undefined;
  code_challenge: string | undefined;
}

export interface CodeRedemption extends PresentedCode, Trace {
  access_token_sha256: Buffer;
  refresh_token_sha256: Buffer;
  access_token_ttl: number;
  refresh_token_ttl: number;
}

export const presentedCodeColumns = {
  code_sha256: 'bytea',
  ...presentedClientColumns,
  ...provenKeyColumns,
  redirect_uri: 'text',
  code_challenge: 'text',
  ...namedResourceColumns,
  ...lookedUpColumns,
} as const;

/** A family ends after this many lifetimes of a refresh token, however often it is refreshed [9700 §4.14.2]. */
export const familyLifetimes = 12;

/** A grant for one time ends with its access token. */
const hasRefreshToken = `(grants.duration <> 'once' and 'refresh_token' = any (clients.grant_types))`;

/**
 * Redeems a code and issues its tokens, all or nothing, once under any concurrency: of two simultaneous redemptions the second
 * waits for the row lock, evaluates the conditions again and finds the code redeemed.
 */
const redemption = (proofs: ProofParts) =>
  batched<CodeRedemption, NewTokens>(
    `redeem_authorization_code${proofs.suffix}`,
    {
      ...presentedCodeColumns,
      ...issueColumns,
      refresh_token_sha256: 'bytea',
      refresh_token_ttl: 'integer',
      ...proofs.columns,
    },
    (requests) => `with granted as (
     update authorization_codes code
     set redeemed_at = now(),
       family_ends_at = now() + make_interval(secs => greatest(
         requests.access_token_ttl, case when ${hasRefreshToken} then requests.refresh_token_ttl * ${familyLifetimes}.0 end)),
       refresh_token_sha256 = case when ${hasRefreshToken} then requests.refresh_token_sha256 end,
       refresh_issued_at = now(),
       refresh_expires_at = least(now() + make_interval(secs => requests.refresh_token_ttl), grants.expires_at),
       refresh_binding = ${firstRefreshBinding}
     from ${requests}, clients, grants, users
     where ${allHold(redemptionRules)}
       and grants.grant_id = code.grant_id
       and users.user_id = grants.user_id${proofs.condition}
     returning ${accessTokenOf(scopesOfCode, 'grants.expires_at')},
       case when ${hasRefreshToken} then code.refresh_expires_at end as refresh_expires_at${proofs.returned}
   ), ${proofs.stored}${issueTokens('tokens_issued')}`,
  );

const redeem = redemption(withoutProofs);
const redeemWithProofs = redemption(withProofs);

/** Redeems a code. With `proofs`, the statement also uses up the proofs, and refuses the redemption if they do not count. */
export function redeemAuthorizationCode(
  database: Database,
  code: CodeRedemption,
  proofs?: ProofDigests,
): Promise<NewTokens | undefined> {
  return proofs ? unlessUsedMeanwhile(redeemWithProofs(database, { ...code, ...proofs })) : redeem(database, code);
}

/** What the rules of a refresh look at. */
export interface PresentedRefreshToken extends PresentedToken, PresentedClient, ProvenKeys, NamedResource, LookedUp {
  scope: string | undefined;
  /** what the request calls these scopes, which may be groups */
  scope_names?: string | undefined;
}

export interface Refresh extends PresentedRefreshToken, Trace {
  access_token_sha256: Buffer;
  access_token_ttl: number;
}

export interface Rotation extends Refresh {
  successor_salt: Buffer;
  successor_sha256: Buffer;
  refresh_token_ttl: number;
}

export const presentedTokenColumns = {
  family_key: 'bytea',
  refresh_token_sha256: 'bytea',
  generation: 'integer',
  is_genuine: 'boolean',
  ...presentedClientColumns,
  ...provenKeyColumns,
  scope: 'text',
  scope_names: 'text',
  ...namedResourceColumns,
  ...lookedUpColumns,
} as const;

export const rotates = `coalesce(clients.profile, 'standard') <> all ('{${profilesThatKeepRefreshTokens.join()}}')`;

export const isOfGrant = `grants.grant_id = code.grant_id
       and users.user_id = grants.user_id`;

export const isRefreshable = `${allHold(refreshRules)}
       and ${isOfGrant}`;

export const accessToken = accessTokenOf(scopesOfRefresh, 'grants.expires_at', 'code.family_ends_at');

/** Rotates a refresh token once under any concurrency, in the way in which redeemAuthorizationCode redeems a code. */
const rotation = (proofs: ProofParts) =>
  batched<Rotation, NewTokens>(
    `rotate_refresh_token${proofs.suffix}`,
    {
      ...presentedTokenColumns,
      ...issueColumns,
      successor_salt: 'bytea',
      successor_sha256: 'bytea',
      refresh_token_ttl: 'integer',
      ...proofs.columns,
    },
    (requests) => `with granted as (
     update authorization_codes code
     set refresh_generation = code.refresh_generation + 1,
       refresh_token_sha256 = requests.successor_sha256,
       refresh_issued_at = now(),
       refresh_expires_at = least(now() + make_interval(secs => requests.refresh_token_ttl), grants.expires_at, code.family_ends_at),
       refresh_binding = ${nextRefreshBinding},
       refresh_bound_since = case
         when code.refresh_binding is not distinct from ${nextRefreshBinding} then code.refresh_bound_since
         else code.refresh_generation + 1 end,
       previous_refresh_sha256 = requests.refresh_token_sha256,
       successor_salt = requests.successor_salt,
       successor_access_sha256 = requests.access_token_sha256
     from ${requests}, clients, grants, users
     where ${isRefreshable}
       and ${rotates}${proofs.condition}
     returning ${accessToken}, code.refresh_expires_at${proofs.returned}
   ), ${proofs.stored}${issueTokens('tokens_refreshed')}`,
  );

const rotate = rotation(withoutProofs);
const rotateWithProofs = rotation(withProofs);

/** Rotates a refresh token. With `proofs`, the statement also uses up the proofs, and refuses the rotation if they do not count. */
export function rotateRefreshToken(
  database: Database,
  rotation: Rotation,
  proofs?: ProofDigests,
): Promise<NewTokens | undefined> {
  return proofs
    ? unlessUsedMeanwhile(rotateWithProofs(database, { ...rotation, ...proofs }))
    : rotate(database, rotation);
}
