import { isEnabled, isOfThisTime, isUnrevoked } from '../identity/active.sql.ts';
import { thisServer } from '../lib/resource.ts';

// The conditions under which a grant, code or token is active. Statements take the conditions from here and from
// identity/active.sql.ts and never spell them out, so that none can forget a condition (test/architecture.test.ts). The conditions
// use the aliases code, grants, users and clients.

export const isUnexpired = (grant: string) => `(${grant}.expires_at is null or ${grant}.expires_at > now())`;

export const isActiveGrant = (grant = 'grants') => `${grant}.revoked_at is null and ${isUnexpired(grant)}`;

/** Whether all that the client had was revoked after the code was issued. */
export const isRevokedWithClient = 'code.issued_at <= clients.tokens_not_before';

/** Neither the family was revoked, nor all that its client had. */
export const isFamilyUnrevoked = `${isUnrevoked('code')}
     and (${isRevokedWithClient}) is not true`;

/** Everything on which a code or token depends is active: its family, the grant, the person and the client. */
export const isActiveFamily = `${isFamilyUnrevoked}
     and ${isActiveGrant()}
     and ${isEnabled('users')}
     and ${isEnabled('clients')}`;

/** A pushed request that was opened in time stays open, so that nobody is hurried while signing in or reading. */
export const isOpenRequest = (pushed: string) => `${pushed}.completed_at is null
     and (${pushed}.expires_at > now() or ${pushed}.opened_at > now() - interval '1 hour')`;

/** The tables of isActiveFamily, joined to `code`. */
export const grantOfFamily = `grants on grants.grant_id = code.grant_id
   join users on users.user_id = grants.user_id
   join clients on clients.client_id = code.client_id`;

/** The tables of isActiveFamily, joined to a token. */
export const familyOfToken = `authorization_codes code on code.code_id = token.code_id
   join ${grantOfFamily}`;

/** Whether a code or token has not expired. */
export const isCurrent = (row: string) => `${row}.expires_at > now() and ${isOfThisTime(`${row}.issued_at`)}`;

/** The conditions on the code itself, in addition to isActiveFamily. */
export const isRedeemable = (code: string) => `${code}.redeemed_at is null and ${isCurrent(code)}`;

/** The conditions on the access token itself, in addition to isActiveFamily. */
export const isActiveAccessToken = (token: string) => `${token}.revoked_at is null and ${isCurrent(token)}`;

/** A refresh token as a request or a caller shows it: the expressions for its parts. */
export interface ShownRefreshToken {
  sha256: string;
  generation: string;
  /** whether its tag is right */
  is_genuine: string;
}

/**
 * Whether a refresh token belongs to `code`, of which the key is compared already: it is the current token, the token before, or an
 * older one.
 */
export const isOfFamily = ({ sha256, generation, is_genuine }: ShownRefreshToken) =>
  `(code.refresh_token_sha256 = ${sha256} or code.previous_refresh_sha256 = ${sha256}
       or (${is_genuine} and ${generation} < code.refresh_generation))`;

/** Whether the current refresh token of a family has not expired. */
export const isRefreshCurrent = `code.refresh_expires_at > now() and ${isOfThisTime('code.refresh_issued_at')}`;

/** The conditions on the refresh token itself, in addition to isActiveFamily. */
export const isActiveRefreshToken = (sha256: string) => `code.refresh_token_sha256 = ${sha256} and ${isRefreshCurrent}`;

/** Whether a token that was rotated may be answered with the same tokens again: within the grace period, while its successor is unused. */
export const isRepeatable = (sha256: string, grace: string) => `(code.previous_refresh_sha256 = ${sha256}
     and code.refresh_issued_at > now() - make_interval(secs => ${grace}))`;

/** The scopes without those that the person took back since, and without those that the client is no longer registered for. */
const stillGranted = (scopes: string) => `case
       when ${scopes} <@ grants.scopes and ${scopes} <@ clients.scopes then ${scopes}
       else common_scopes(${scopes}, grants.scopes, clients.scopes) end`;

/**
 * The scopes of a code or token that count at this server: those still granted, and decided on here. A scope that was withdrawn
 * here and allowed again elsewhere stays withdrawn here. Most tokens have lost no scope and pay three comparisons; the functions
 * are for the others, because a subselect in their place would be initialized in every execution.
 */
export const scopesInForce = (scopes: string) => `case
       when ${scopes} <@ grants.scopes and ${scopes} <@ clients.scopes and ${scopes} <@ grants.decided then ${scopes}
       else common_scopes(${stillGranted(scopes)}, grants.decided, grants.scopes) end`;

/** The scopes of a code or token that count at a resource, which must know them. */
export const scopesInForceAt = (resource: string, scopes: string, isHere = `${resource} = '${thisServer}'`) =>
  `case when ${isHere} then ${scopesInForce(scopes)}
       else scopes_at(${resource}, ${stillGranted(scopes)}, grants.decided) end`;

/** Whether the person withdrew one of the scopes from one of the resources after allowing them. */
export const isReduced = (scopes: string, resources: string) => `exists (
       select
       from unnest(${scopes}) scope, unnest(${resources}) resource
       where scope <> all (grants.scopes)
         or case resource when '${thisServer}' then scope else scope || '@' || resource end <> all (grants.decided))`;
