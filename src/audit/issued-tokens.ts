import type { Deps } from '../deps.ts';

type Log = Deps['log'];

/** Clients whose tokens are counted between two times of storing; the tokens of more clients are not counted. */
const maxClients = 10_000;
/** What each server of this process has counted since it stored its numbers. */
const counted = new WeakMap<Log, Map<string, number>>();

/** Counts tokens of a client in memory, so that the request that issues them pays for no statement. */
export function countIssuedTokens(log: Log, client_id: string, number = 1): void {
  const numbers = counted.get(log) ?? new Map<string, number>();
  counted.set(log, numbers);
  if (numbers.has(client_id) || numbers.size < maxClients) {
    numbers.set(client_id, (numbers.get(client_id) ?? 0) + number);
  }
}

/** Returns the numbers by client, and begins to count anew. */
export function takeIssuedTokens(log: Log): ReadonlyMap<string, number> {
  const numbers = counted.get(log) ?? new Map<string, number>();
  counted.delete(log);
  return numbers;
}
