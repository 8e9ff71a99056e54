import { isNewHere, isResourceNamed, isWritable, newResource } from '../catalogue/resources.sql.ts';
import { clientRules, type Rules } from '../clients/client-rules.sql.ts';
import { provesKeyOf, refreshBinding } from '../clients/key-binding.sql.ts';
import { registeredElsewhere } from '../clients/origins.sql.ts';
import { isEnabled, isOfThisTime, isUnrevoked } from '../identity/active.sql.ts';
import { thisServer } from '../lib/resource.ts';
import { profilesThatNeedPkce, profilesThatRefuseWiderRefresh } from '../lib/security-profile.ts';
import { choiceRules, chosenNow, decidedWith } from './choice/choice-rules.sql.ts';

// The conditions under which a grant, code or token is active; the rules of /token follow. Statements take the conditions from here
// and from identity/active.sql.ts and never spell them out, so that none can forget a condition (test/architecture.test.ts). The
// conditions use the aliases code, grants, users and clients.

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

/** Whether a rotated token may be answered again: within the grace period, until the next rotation overwrites `previous_refresh_sha256`. */
export const isRepeatable = (sha256: string, grace: string) => `(code.previous_refresh_sha256 = ${sha256}
     and code.refresh_issued_at > now() - make_interval(secs => ${grace}))`;

/** The scopes without those that the person took back since, and without those that the client is no longer registered for. */
const stillGranted = (scopes: string, registered = 'clients.scopes') => `case
       when ${scopes} <@ grants.scopes and ${scopes} <@ ${registered} then ${scopes}
       else common_scopes(${scopes}, grants.scopes, ${registered}) end`;

/**
 * The scopes of a code or token that count at this server: those still granted, and decided on here. A scope that was withdrawn
 * here and allowed again elsewhere stays withdrawn here. `narrowed`: the choices to which the token itself was narrowed. Most tokens have
 * lost no scope and pay a few comparisons; the functions are for the others, because a subselect in their place would be initialized in
 * every execution.
 */
export const scopesInForce = (scopes: string, narrowed: string) => `case
       when ${scopes} <@ grants.scopes and ${scopes} <@ clients.scopes and ${scopes} <@ ${decidedWith(narrowed)} then ${scopes}
       else common_scopes(${stillGranted(scopes)}, ${decidedWith(narrowed)}, grants.scopes) end`;

/** The scopes of a code or token that count at a resource, which must know them. */
export const scopesInForceAt = (resource: string, scopes: string, narrowed: string) =>
  `case when ${resource === newResource ? isNewHere : `${resource} = '${thisServer}'`} then ${scopesInForce(scopes, narrowed)}
       else scopes_at(${resource}, ${stillGranted(scopes, registeredElsewhere(scopes))}, ${decidedWith(narrowed)}) end`;

// The rules of /token, in the order of the RFCs. The statements that redeem and rotate join them in their `where`; those that explain
// a refusal report the first one that is broken. A request that breaks a rule changes nothing, unless the rule says what it ends.

/** What the person, and whoever revokes, can end [6749 §5.2; 7009]. */
const grantRules = {
  grant_unrevoked: { holds: isUnrevoked('grants'), error: 'invalid_grant', reason: 'grant revoked' },
  grant_unexpired: { holds: isUnexpired('grants'), error: 'invalid_grant', reason: 'grant expired' },
  user_enabled: { holds: isEnabled('users'), error: 'invalid_grant', reason: 'user disabled' },
} as const satisfies Rules;

/** What the request must prove, if its client, code or refresh token binds the tokens to it [9449 §5, §10; 8705 §4]. */
const bindingRules = (binding: string) =>
  ({
    certificate_shown: {
      holds: `(clients.token_binding <> 'certificate' or requests.certificate is not null)`,
      error: 'invalid_request',
      reason: 'the tokens of this client are bound to its certificate, which is missing or has a weak key',
      is_told: true,
    },
    proof_shown: {
      holds: `(clients.token_binding <> 'dpop' or requests.dpop is not null)`,
      error: 'invalid_request',
      reason: 'the tokens of this client are bound to a key: a DPoP proof is missing',
      is_told: true,
    },
    same_key: { holds: provesKeyOf(binding), error: 'invalid_grant', reason: 'bound to another key' },
  }) as const satisfies Rules;

/** Rules for the resource of the new access token [8707 §2.2]. */
const resourceRules = {
  resource_named: {
    holds: isResourceNamed,
    error: 'invalid_target',
    reason: 'resource missing, the code has several',
  },
  resource_authorized: {
    holds: `${newResource} = any (code.resources)`,
    error: 'invalid_target',
    reason: 'resource not requested at authorization',
  },
} as const satisfies Rules;

/** What the new access token must have. */
export const tokenRules = (scopes: string) =>
  ({
    ...resourceRules,
    ...choiceRules,
    scope_left: {
      holds: `${scopes} <> '{}'`,
      error: 'invalid_grant',
      reason: 'nothing left of its scope',
      at_resource: { error: 'invalid_target', reason: 'nothing left of the scope at the resource' },
      of_named_scope: { error: 'invalid_scope', reason: 'nothing left of the scope' },
    },
    // tried once more with the key, then refused
    signable: { holds: isWritable, error: 'temporarily_unavailable', reason: 'no key to sign the token with' },
  }) as const satisfies Rules;

/** The scopes of the access token that a code gives. */
export const scopesOfCode = scopesInForceAt(newResource, 'code.scopes', chosenNow);

/** What an exchange of an authorization code must fulfil [6749 §4.1.3]. */
export const redemptionRules = {
  ...clientRules,
  grant_type_registered: {
    holds: `'authorization_code' = any (clients.grant_types)`,
    error: 'unauthorized_client',
    reason: 'the client is not registered for the grant_type authorization_code',
    is_told: true,
  },
  code_known: {
    holds: 'code.code_sha256 = requests.code_sha256',
    error: 'invalid_grant',
    reason: 'code unknown',
  },
  // the owner of another client must not learn that the code exists
  code_own: {
    holds: 'code.client_id = requests.client_id',
    error: 'invalid_grant',
    reason: 'code of another client',
    owner_reason: 'code unknown',
  },
  // [6749 §4.1.2]; only with the right verifier, or with none for a code without a challenge: used codes are in every browser history
  code_not_repeated: {
    holds: '(code.redeemed_at is null or code.code_challenge is distinct from requests.code_challenge)',
    error: 'invalid_grant',
    reason: 'code used before',
    ends: 'code_reused',
  },
  code_unused: { holds: 'code.redeemed_at is null', error: 'invalid_grant', reason: 'code used before' },
  code_unrevoked: { holds: `(${isFamilyUnrevoked})`, error: 'invalid_grant', reason: 'code revoked' },
  // a verifier cannot be guessed twice [7636 §4.6]
  verifier_right: {
    holds: '(code.code_challenge = requests.code_challenge) is not false',
    error: 'invalid_grant',
    reason: 'verifier wrong',
    ends: 'code_verifier_wrong',
  },
  ...grantRules,
  code_current: { holds: isCurrent('code'), error: 'invalid_grant', reason: 'code expired' },
  redirect_uri_sent: {
    holds: '(requests.redirect_uri is not null or not code.redirect_uri_sent)',
    error: 'invalid_request',
    reason: 'redirect_uri is missing: the authorization request carried it',
    is_told: true,
  },
  ...bindingRules('code.binding'),
  // a code may be older than the profile of its client
  pkce_used_if_needed: {
    holds: `(code.code_challenge is not null or coalesce(clients.profile, 'standard') <> all ('{${profilesThatNeedPkce.join()}}'))`,
    error: 'invalid_grant',
    reason: 'from before the client had to use PKCE',
  },
  verifier_sent: {
    holds: '(code.code_challenge is null or requests.code_challenge is not null)',
    error: 'invalid_grant',
    reason: 'verifier missing',
  },
  // otherwise an attacker could leave out the challenge at the authorization request [9700 §4.8.2]
  verifier_expected: {
    holds: '(requests.code_challenge is null or code.code_challenge is not null)',
    error: 'invalid_grant',
    reason: 'verifier for a code without a challenge',
  },
  same_redirect_uri: {
    holds: '(requests.redirect_uri is null or requests.redirect_uri = code.redirect_uri)',
    error: 'invalid_grant',
    reason: 'redirect URI differs',
  },
  ...tokenRules(scopesOfCode),
} as const satisfies Rules;

const namedScopes = `string_to_array(requests.scope, ' ')`;

/**
 * What a refresh asks for of the family's scopes: all of them if the request names none, so that a later refresh can ask for more again,
 * up to what was granted [6749 §6].
 */
export const requestedScopes = `case
       when requests.scope is null then code.scopes
       else common_scopes(code.scopes, ${namedScopes}, code.scopes) end`;

/** The scopes of the access token that a refresh gives. */
export const scopesOfRefresh = scopesInForceAt(newResource, requestedScopes, chosenNow);

/** What the authorization request asked for, and by which names. */
const askedScopes = `coalesce(code.asked_scopes, code.scopes || string_to_array(code.requested_scope, ' '))`;

/** A client may name again what it asked for and the person refused, and gets the rest. A group may have grown since. */
export const scopeRule = {
  scope_granted: {
    holds: `(requests.scope is null or ${namedScopes} <@ code.scopes
       or (${namedScopes} && code.scopes
         and (${namedScopes} <@ ${askedScopes} or string_to_array(requests.scope_names, ' ') <@ ${askedScopes})
         and coalesce(clients.profile, 'standard') <> all ('{${profilesThatRefuseWiderRefresh.join()}}')))`,
    error: 'invalid_scope',
    reason: 'scope was not granted',
  },
} as const satisfies Rules;

export const ofRequest = {
  sha256: 'requests.refresh_token_sha256',
  generation: 'requests.generation',
  is_genuine: 'requests.is_genuine',
};

const isUnused = `code.refresh_token_sha256 = ${ofRequest.sha256}`;

/** What a refresh must fulfil, whether its token is used for the first time or again. */
export const rulesBeforeUse = {
  ...clientRules,
  grant_type_registered: {
    holds: `'refresh_token' = any (clients.grant_types)`,
    error: 'unauthorized_client',
    reason: 'the client is not registered for the grant_type refresh_token',
    is_told: true,
  },
  token_known: {
    holds: `code.code_sha256 = requests.family_key and ${isOfFamily(ofRequest)}`,
    error: 'invalid_grant',
    reason: 'refresh token unknown',
  },
  token_own: {
    holds: 'code.client_id = requests.client_id',
    error: 'invalid_grant',
    reason: 'refresh token of another client',
    owner_reason: 'refresh token unknown',
  },
  family_unrevoked: { holds: `(${isFamilyUnrevoked})`, error: 'invalid_grant', reason: 'family revoked' },
  ...grantRules,
  // one that was used is judged by token_unused, however old it is
  token_current: {
    holds: `(not ${isUnused} or ${isRefreshCurrent})`,
    error: 'invalid_grant',
    reason: 'refresh token expired',
  },
  // before reuse: whoever stole a token but not its key must not be able to end the person's tokens
  ...bindingRules(refreshBinding),
} as const satisfies Rules;

/** What a refresh must fulfil [6749 §6]. */
export const refreshRules = {
  ...rulesBeforeUse,
  // within the grace the answer is repeated, see repetitionRules
  token_unused: { holds: isUnused, error: 'invalid_grant', reason: 'refresh token used before' },
  ...scopeRule,
  ...tokenRules(scopesOfRefresh),
} as const satisfies Rules;
