import { newResource } from '../../catalogue/resources.sql.ts';
import type { Rules } from '../../clients/client-rules.sql.ts';
import { provesKeyOf } from '../../clients/key-binding.sql.ts';
import {
  isRefreshCurrent,
  isRepeatable,
  ofRequest,
  requestedScopes,
  rulesBeforeUse,
  scopeRule,
  scopesInForceAt,
  scopesOfRefresh,
  tokenRules,
} from '../rules.sql.ts';

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
       and ${scopesInForceAt('access_token.resource', 'access_token.scopes', 'access_token.choices')} && ${requestedScopes}, false)`;
