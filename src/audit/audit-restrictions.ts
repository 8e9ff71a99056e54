import { isIP } from 'node:net';
import { type AuditEventName, auditEvents, routineEvents } from './audit.sql.ts';
import type { AuditFilter, Doer } from './audit-search.sql.ts';
import { typedTime } from './typed-time.ts';

/** What an operator restricts the audit trail by, as they type it. */
export interface TypedRestrictions {
  event?: string | undefined;
  address?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** Restrictions that would find no event, as if nothing had happened. */
export type RestrictionProblem =
  | 'no_such_event'
  | 'address_malformed'
  | 'since_malformed'
  | 'until_malformed'
  | 'times_reversed';

/** The events that can be searched for by their name. */
export const searchedEvents: readonly AuditEventName[] = auditEvents.filter((name) => !routineEvents.includes(name));

export function readRestrictions({ event, address, ...typed }: TypedRestrictions): AuditFilter | RestrictionProblem {
  if (event !== undefined && !searchedEvents.some((name) => name === event)) return 'no_such_event';
  if (address !== undefined && isIP(address) === 0) return 'address_malformed';
  const since = typed.since === undefined ? undefined : typedTime(typed.since, 'begin');
  if (typed.since !== undefined && since === undefined) return 'since_malformed';
  const until = typed.until === undefined ? undefined : typedTime(typed.until, 'end');
  if (typed.until !== undefined && until === undefined) return 'until_malformed';
  if (since && until && since > until) return 'times_reversed';
  return { event, address, since, until };
}

/** A name may be that of an account, of a user of the system, or of both; a deleted account leaves only its number. */
export const doerOf = (person: { user_id: number } | undefined, typed: string): Doer => ({
  by_user_id: person?.user_id ?? numberOf(typed),
  by_system_user: typed,
});

/** The number of an account. */
export const numberOf = (typed: string): number | undefined =>
  /^[1-9]\d{0,8}$/.test(typed) ? Number(typed) : undefined;
