import type { Database } from '../postgres/database.ts';
import { networkOf } from '../protocol/network.ts';
import { type Refusal, registerRefusal } from '../store/refusals.ts';

/** Since when, and how often since then, by what is counted. */
interface Minute {
  ends: number;
  counts: Map<string, number>;
}

const minutes = new WeakMap<Database, Minute>();

/** For the owner of the client. The answer does not wait for it, and nothing depends on it: the log says the same. */
export function noteForOwner(database: Database, refusal: Refusal, address: string): void {
  if (isTooMany(database, refusal.client_id, networkOf(address))) return;
  registerRefusal(database, refusal).catch(() => {});
}

/**
 * What one process notes in a minute. Anybody can be refused as often as they like, and in the name of any client: one
 * address must neither fill the table nor use up what others are noted by.
 */
function isTooMany(database: Database, client_id: string, network: string): boolean {
  const bounds = [
    [`client ${client_id} ${network}`, 20],
    [`client ${client_id}`, 40],
    [`network ${network}`, 60],
    ['all', 600],
  ] as const;
  const { counts } = minuteOf(database);
  if (bounds.some(([key, most]) => (counts.get(key) ?? 0) >= most)) return true;
  for (const [key] of bounds) counts.set(key, (counts.get(key) ?? 0) + 1);
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
