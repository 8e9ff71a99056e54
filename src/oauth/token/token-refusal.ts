import type { Trace } from '../../audit/audit.sql.ts';
import { logEvent } from '../../audit/audit.ts';
import { type ClientCredentials, changedMeanwhile, reasonOf, refuseClient } from '../../clients/client.ts';
import { clientRules, type Rule } from '../../clients/client-rules.sql.ts';
import type { Deps } from '../../deps.ts';
import { limitFailures } from '../../identity/failed-authentications.ts';
import { type ErrorCode, OAuthError } from '../../lib/errors.ts';
import { thisServer } from '../../lib/resource.ts';
import { isSecret } from '../../lib/secrets.ts';
import { endFamily } from './families.sql.ts';

/** What a client is told where it must not learn which rule it broke: the same for every reason, so that it gives no hint for guessing. */
export const descriptions: Partial<Record<ErrorCode, string>> = {
  invalid_grant:
    'the authorization code or refresh token is invalid, expired, revoked or not for this client and request',
  invalid_target:
    'resource must be one you requested at /authorize, be still registered, and accept a granted scope; it can be left out if there is only one',
};

/** The refusal of a request that breaks a rule; `resource`: the one for which its token would have been. */
export function refusalBy(rule: Omit<Rule, 'holds'>, resource: string = thisServer): OAuthError {
  const at_resource = resource === thisServer ? undefined : rule.at_resource;
  const { error, reason, is_told, owner_reason = reason } = { ...rule, ...at_resource };
  return new OAuthError(error, is_told ? reason : (descriptions[error] ?? reason), { reason, owner_reason });
}

/** Refuses a request whose client is not authenticated. */
export async function requireClientRules(
  deps: Deps,
  credentials: ClientCredentials,
  broken: string | undefined,
  trace: Trace,
): Promise<void> {
  if (!isClientRule(broken)) return;
  if (broken === 'client_unchanged') throw changedMeanwhile(credentials);
  await refuseClient(deps, trace, credentials.method, reasonOf(broken, credentials));
}

const isClientRule = (name: string | undefined): name is keyof typeof clientRules =>
  name !== undefined && Object.hasOwn(clientRules, name);

/** Refuses a code or token that is not stored. Those for whom nobody vouches may guess only so often. */
export async function refuseUnknown(
  deps: Deps,
  kind: 'authorization_code' | 'refresh_token',
  { text, may_be_anybody }: { text: string; may_be_anybody: boolean },
  trace: Trace,
): Promise<never> {
  const isPossible = isSecret(kind, text);
  if (isPossible && may_be_anybody) await limitFailures(deps, trace);
  const name = kind === 'authorization_code' ? 'code' : 'refresh token';
  throw refusalBy({ error: 'invalid_grant', reason: `${name} ${isPossible ? 'unknown' : 'malformed'}` });
}

/** Ends what breaking the rule costs. */
export async function endByRule(
  deps: Deps,
  { ends }: Rule,
  { code_id }: { code_id: string },
  trace: Trace,
): Promise<void> {
  const ended = ends && (await endFamily(deps.database, code_id, ends, trace));
  if (ended) logEvent(deps, trace, { event: ends, ...ended });
}

/** The request was refused, but breaks no rule any more: nothing was spent, so the client can send it again. */
export function reasonGone(): OAuthError {
  return new OAuthError('temporarily_unavailable', 'what stood in the way of this request has changed, try again', {
    headers: { 'Retry-After': '1' },
  });
}
