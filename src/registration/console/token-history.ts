import type { RequestHandler } from 'express';
import { type FamilyEvent, isRevokedByOperator, listFamilyEvents } from '../../audit/events.sql.ts';
import type { Deps } from '../../deps.ts';
import { limitFailures } from '../../identity/failed-authentications.ts';
import type { CredentialKeys } from '../../lib/refresh-token.ts';
import { isSecret } from '../../lib/secrets.ts';
import { isLikeCredential, keysOfCredential } from '../../oauth/token/credential-keys.ts';
import type { ReadingDeps } from '../../oauth/token/jwt-token.ts';
import { type EndReason, endReasonsOf, isEndable } from '../../oauth/token/token-end.ts';
import { findTokenFacts, type TokenFacts } from '../../oauth/token/token-facts.sql.ts';
import type { Database } from '../../postgres/database.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import { forApplicationForm, renderApplication } from './registered-application.ts';
import type { TokenEvent, TokenHistory } from './token-history.view.ts';

export interface FoundHistory {
  history: TokenHistory;
  facts?: TokenFacts;
  key?: Buffer;
}

/**
 * Finds the history of a code or token and its owner, if it is known: callers must not reveal the token of one client to another. An
 * operator can revoke the code or token by `key`, unless it is over.
 */
export async function findTokenHistory(deps: ReadingDeps, token: string): Promise<FoundHistory> {
  const text = copied.exec(token.trim())?.[1] ?? token;
  const keys = await keysOfCredential(deps, text);
  if (!keys && isLikeCredential(text)) return { history: { kind: 'unknown' } };
  if (!keys) return { history: { kind: isSecret('client_secret', text) ? 'client_secret' : 'malformed' } };
  return findHistoryByKeys(deps.database, keys);
}

/** Finds the history of the code or token with these keys. */
export async function findHistoryByKeys(database: Database, keys: CredentialKeys): Promise<FoundHistory> {
  const facts = await findTokenFacts(database, keys);
  if (!facts) return { history: { kind: 'unknown' } };
  const { grant_revoked_at } = facts;
  const isOperators =
    grant_revoked_at !== null && (await isRevokedByOperator(database, { ...facts, grant_revoked_at }));
  const history = historyOf(facts, await listFamilyEvents(database, facts), isOperators);
  return { history, facts, ...(isEndable(facts) && { key: keys.key }) };
}

/** A token as people copy it: with the scheme of a header and quotes around it. */
const copied = /^["'`]?(?:authorization:\s*)?(?:(?:bearer|dpop|token)\s+)?["'`]?([\w.~+/=-]+)["'`,;]*$/i;

type Entry = { at: Date; event: TokenEvent };

function historyOf(facts: TokenFacts, familyEvents: readonly FamilyEvent[], isOperators: boolean): TokenHistory {
  const { kind, issued_at, redeemed_at } = facts;
  const redeemed: Entry[] =
    redeemed_at && kind !== 'authorization_code' ? [{ at: redeemed_at, event: 'code_redeemed' }] : [];
  const issued: Entry = { at: issued_at, event: 'issued' };
  const ended = endReasonsOf(facts).map(({ at, reason }): Entry => {
    const cause = causeOfRevocation(facts, at, familyEvents);
    if (reason === 'family_revoked') return { at, event: cause ?? 'revoked' };
    if (reason === 'token_revoked') return { at, event: cause ?? 'revoked_by_client' };
    return { at, event: reason === 'grant_revoked' && isOperators ? 'revoked_by_operator' : endingEvents[reason] };
  });
  const alive = ended.length === 0;
  const last = alive ? stateToday(facts) : ended;
  const events = [...redeemed, issued, ...changesIn(facts, familyEvents), ...last];
  const { expires_at, grant_expires_at } = facts;
  const ends_at = grant_expires_at !== null && grant_expires_at < expires_at ? grant_expires_at : expires_at;
  return { kind, alive, ends_at, events: events.sort((one, other) => one.at.getTime() - other.at.getTime()) };
}

const endingEvents: Record<Exclude<EndReason, 'family_revoked' | 'token_revoked'>, TokenEvent> = {
  redeemed: 'code_redeemed',
  rotated: 'replaced',
  grant_revoked: 'revoked_by_user',
  grant_expired: 'expired',
  client_disabled: 'client_disabled',
  user_disabled: 'user_disabled',
  expired: 'expired',
};

/** The database does not record when a registration lost a scope, so that event gets the time of the request. */
function stateToday({ is_narrowed, read_at: at }: TokenFacts): Entry[] {
  const alive: Entry = { at, event: 'alive' };
  return is_narrowed ? [{ at, event: 'scope_unregistered' }, alive] : [alive];
}

/** The audit event is written right after the revocation, so the oldest event since the revocation names the cause. */
function causeOfRevocation(
  { rotated_at }: TokenFacts,
  revoked_at: Date,
  familyEvents: readonly FamilyEvent[],
): TokenEvent | undefined {
  // the newest is first
  const cause = familyEvents.findLast(
    ({ event, happened_at }) => event in revocationEvents && happened_at >= revoked_at,
  );
  if (cause?.by_operator) return 'revoked_by_operator';
  const event = revocationEvents[cause?.event ?? ''];
  // only a refresh token that was replaced can be used again
  return event === 'reused' && !rotated_at ? 'family_reused' : event;
}

const revocationEvents: Record<string, TokenEvent> = {
  refresh_token_reused: 'reused',
  code_reused: 'code_replayed',
  code_verifier_wrong: 'verifier_wrong',
  token_revoked: 'revoked_by_client',
  token_leaked: 'leaked',
};

/** Returns the refreshes after the token was issued, and the last change of a grant that lost one of its permissions. */
function changesIn(facts: TokenFacts, familyEvents: readonly FamilyEvent[]): Entry[] {
  const { kind, issued_at, rotated_at, is_reduced, grant_changed_at } = facts;
  const refreshed = familyEvents
    .filter(({ event, happened_at }) => event === 'tokens_refreshed' && happened_at > issued_at)
    // the refresh that replaced this token is among its endings
    .filter(({ happened_at }) => kind !== 'authorization_code' && happened_at.getTime() !== rotated_at?.getTime())
    .slice(0, 10)
    .map(({ happened_at }): Entry => ({ at: happened_at, event: 'refreshed' }));
  const reduced: Entry[] = is_reduced ? [{ at: grant_changed_at, event: 'permission_removed' }] : [];
  return [...refreshed, ...reduced];
}

/** Shows the history in the answer of the POST: a redirect would put the token into a URL or a cookie. */
export const showTokenHistory = (deps: Deps): RequestHandler =>
  forApplicationForm(deps, 'activity', async (page) => {
    const token = fieldOf(bodyParameters(page.req), 'token').trim();
    const { history, facts } = await findTokenHistory(deps, token);
    if (history.kind === 'unknown') await limitFailures(deps, traceOf(page.req, page.res));
    const isOwn = facts === undefined || facts.client_id === page.application.client_id;
    return renderApplication(page, 'activity', 200, { token_history: isOwn ? history : { kind: 'unknown' } });
  });
