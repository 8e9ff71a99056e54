import { isNewHere, isResourceNamed, isWritable, newResource } from '../../catalogue/resources.sql.ts';
import { clientRules, provesKeyOf, type Rules, refreshBinding } from '../../clients/client-rules.sql.ts';
import { isEnabled, isUnrevoked } from '../../identity/active.sql.ts';
import { profilesThatNeedPkce } from '../../lib/security-profile.ts';
import {
  isCurrent,
  isFamilyUnrevoked,
  isOfFamily,
  isRefreshCurrent,
  isRepeatable,
  isUnexpired,
  scopesInForceAt,
} from '../active.sql.ts';

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
const tokenRules = (scopes: string) =>
  ({
    ...resourceRules,
    scope_left: {
      holds: `${scopes} <> '{}'`,
      error: 'invalid_grant',
      reason: 'nothing left of its scope',
      at_resource: { error: 'invalid_target', reason: 'nothing left of the scope at the resource' },
    },
    // no refusal: the request is tried again with the key
    signable: { holds: isWritable, error: 'temporarily_unavailable', reason: 'no key to sign the token with' },
  }) as const satisfies Rules;

/** The scopes of the access token that a code gives. */
export const scopesOfCode = scopesInForceAt(newResource, 'code.scopes', isNewHere);

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
  // [6749 §4.1.2]; with the right verifier only, because used codes are in every browser history
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

/**
 * The scopes of the new access token; all of the family's if the request names none, so that a later
 * refresh can ask for more again, up to what was granted [6749 §6].
 */
const requestedScopes = `coalesce(string_to_array(requests.scope, ' '), code.scopes)`;

/** The scopes of the access token that a refresh gives. */
export const scopesOfRefresh = scopesInForceAt(newResource, requestedScopes, isNewHere);

const scopeRule = {
  scope_granted: {
    holds: `${requestedScopes} <@ code.scopes`,
    error: 'invalid_scope',
    reason: 'scope was not granted',
  },
} as const satisfies Rules;

const ofRequest = {
  sha256: 'requests.refresh_token_sha256',
  generation: 'requests.generation',
  is_genuine: 'requests.is_genuine',
};

const isUnused = `code.refresh_token_sha256 = ${ofRequest.sha256}`;

/** What a refresh must fulfil, whether its token is used for the first time or again. */
const rulesBeforeUse = {
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

/**
 * What a repeated refresh must fulfil, whose token was used before and breaks no rule before token_unused: the answer is repeated,
 * because it may have been lost, or the request was sent twice.
 */
export const repetitionRules = {
  // later, or once the successor was used or would have to be proven by another key, two parties hold the token [9700 §4.14.2]
  repeatable: {
    holds: `(${isRepeatable(ofRequest.sha256, 'requests.grace')} and ${provesKeyOf('code.refresh_binding')})`,
    error: 'invalid_grant',
    reason: 'refresh token used before',
    ends: 'refresh_token_reused',
  },
  successor_current: { holds: isRefreshCurrent, error: 'invalid_grant', reason: 'successor expired' },
  ...scopeRule,
  ...tokenRules(scopesOfRefresh),
} as const satisfies Rules;

/** What an access token must fulfil that takes the place of the one in the answer. */
export const renewalRules = { ...rulesBeforeUse, ...repetitionRules } as const satisfies Rules;

/** Whether `access_token`, which is active, answers the request: it has some of the scopes, for this resource, bound as the client is registered. */
export const isAnswerLeft = `coalesce(access_token.resource = ${newResource}
       and (clients.token_binding = 'any' or split_part(access_token.binding, ' ', 1) = clients.token_binding)
       and ${scopesInForceAt('access_token.resource', 'access_token.scopes')} && ${requestedScopes}, false)`;
