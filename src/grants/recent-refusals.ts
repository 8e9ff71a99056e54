import type { Database } from '../postgres/database.ts';
import { networkOf } from '../protocol/network.ts';
import { type Refusal, registerRefusal } from '../store/refusals.ts';

/** How many refusals were stored in the current minute, by key. */
interface Minute {
  ends: number;
  counts: Map<string, number>;
}

const minutes = new WeakMap<Database, Minute>();

/** Stores a refusal for the owner of the client. The response does not wait for it; the log has the same information. */
export function storeRefusal(database: Database, refusal: Refusal, address: string): void {
  if (isTooMany(database, refusal.client_id, networkOf(address))) return;
  registerRefusal(database, refusal).catch(() => {});
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
  const { counts } = minuteOf(database);
  if (limits.some(([key, limit]) => (counts.get(key) ?? 0) >= limit)) return true;
  for (const [key] of limits) counts.set(key, (counts.get(key) ?? 0) + 1);
  return false;
}

function minuteOf(database: Database): Minute {
  const now = performance.now();
  const current = minutes.get(database);
  if (current && current.ends > now) return current;
  const next = { ends: now + 60_000, counts: new Map<string, number>() };
  minutes.set(database, next);
  return next;
}
