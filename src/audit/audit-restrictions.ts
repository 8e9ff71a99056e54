import { isIP } from 'node:net';
import { type AuditEventName, auditEvents, routineEvents } from './audit.sql.ts';
import type { AuditFilter, Doer } from './audit-search.sql.ts';

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const written = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(\.\d{1,3})?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Reads a moment as operators type it: so long ago (90s, 15m, 24h, 7d), a day, or a time, in UTC unless another zone is written. What is
 * typed without seconds means the whole minute, a day the whole day: as an end, it includes all of that.
 */
export function typedTime(text: string, edge: 'begin' | 'end'): Date | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(Date.now() - Number(count) * 1000 * (secondsOf[unit] ?? 0));
  const [, day, minute, second = '', fraction = '', zone = 'Z'] = written.exec(text) ?? [];
  if (day === undefined || (fraction !== '' && second === '')) return undefined;
  // Date takes 30 February for 2 March
  if (new Date(day).toJSON()?.startsWith(day) !== true) return undefined;
  const begin = new Date(minute === undefined ? day : `${day}T${minute}${second}${fraction}${zone}`);
  const length = minute === undefined ? 86_400_000 : second === '' ? 60_000 : fraction === '' ? 1000 : 1;
  const isReal = begin.getUTCFullYear() >= 1970 && begin.getUTCFullYear() <= 9999;
  return isReal ? new Date(begin.getTime() + (edge === 'end' ? length : 0)) : undefined;
}

/** What an operator restricts the audit trail by, as they type it. */
export interface TypedRestrictions {
  event?: string | undefined;
  address?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** Problems of restrictions that would find no event, as if nothing had happened. */
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

/** Returns who a typed name is: an account, a user of the system, or of both; a deleted account leaves only its number. */
export const doerOf = (person: { user_id: number } | undefined, typed: string): Doer => ({
  by_user_id: person?.user_id ?? numberOf(typed),
  by_system_user: typed,
});

/** Reads the number of an account. */
export const numberOf = (typed: string): number | undefined =>
  /^[1-9]\d{0,8}$/.test(typed) ? Number(typed) : undefined;
