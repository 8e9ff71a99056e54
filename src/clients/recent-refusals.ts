import { networkOf } from '../lib/network.ts';
import type { Database } from '../postgres/database.ts';
import { type Refusal, registerRefusal } from './refusals.sql.ts';

/** How much was stored in the current minute or day, by key. */
interface Period {
  ends: number;
  counts: Map<string, number>;
}

type Periods = WeakMap<Database, Period>;

const [minutes, days]: [Periods, Periods] = [new WeakMap(), new WeakMap()];

/** Stores a refusal for the owner of the client. The response does not wait for it; the log has the same information. */
export function storeRefusal(database: Database, refusal: Refusal, address: string): void {
  if (isTooMany(database, refusal.client_id, networkOf(address))) return;
  registerRefusal(database, refusal).catch(() => {});
}

/** Stores a note for the owner of the client about a request that was accepted, once a day: it is the same each time. */
export function storeNote(database: Database, note: Omit<Refusal, 'error' | 'redirect_uri'>): void {
  const { counts } = periodOf(days, database, 24 * 3600_000);
  if (counts.has(note.client_id)) return;
  counts.set(note.client_id, 1);
  registerRefusal(database, { ...note, error: 'note', redirect_uri: undefined }).catch(() => {});
}

/**
 * The limits of one process for a minute. Anybody can cause refusals for any client, so a single network must neither fill
 * the table nor use up the limit of a client.
 */
function isTooMany(database: Database, client_id: string, network: string): boolean {
  const limits = [
    [`client ${client_id} ${network}`, 20],
    [`client ${client_id}`, 40],
    [`network ${network}`, 60],
    ['all', 600],
  ] as const;
  const { counts } = periodOf(minutes, database, 60_000);
  if (limits.some(([key, limit]) => (counts.get(key) ?? 0) >= limit)) return true;
  for (const [key] of limits) counts.set(key, (counts.get(key) ?? 0) + 1);
  return false;
}

function periodOf(periods: Periods, database: Database, length: number): Period {
  const now = performance.now();
  const current = periods.get(database);
  if (current && current.ends > now) return current;
  const next = { ends: now + length, counts: new Map<string, number>() };
  periods.set(database, next);
  return next;
}
