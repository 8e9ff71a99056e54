import type { Database } from '../store/database.ts';
import { type Refusal, registerRefusal } from '../store/refusals.ts';

/** What one process notes in a minute, of one client and of all: anybody can be refused, as often as they like. */
const mostOfClient = 30;
const mostOfAll = 600;

interface Minute {
  ends: number;
  noted: number;
  byClient: Map<string, number>;
}

const minutes = new WeakMap<Database, Minute>();

/** For the owner of the client. The answer does not wait for it, and nothing depends on it: the log says the same. */
export function noteForOwner(database: Database, refusal: Refusal): void {
  if (isTooMany(database, refusal.client_id)) return;
  registerRefusal(database, refusal).catch(() => {});
}

function isTooMany(database: Database, client_id: string): boolean {
  const now = Date.now();
  let minute = minutes.get(database);
  if (!minute || minute.ends <= now) {
    minute = { ends: now + 60_000, noted: 0, byClient: new Map() };
    minutes.set(database, minute);
  }
  const ofClient = minute.byClient.get(client_id) ?? 0;
  if (minute.noted >= mostOfAll || ofClient >= mostOfClient) return true;
  minute.noted += 1;
  minute.byClient.set(client_id, ofClient + 1);
  return false;
}
