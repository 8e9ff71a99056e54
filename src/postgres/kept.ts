import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from './database.ts';

export interface Kept<T> {
  (database: Database, read: () => Promise<T>): Promise<T>;
  /**
   * Returns what is stored now, read after this call: before something is refused as unknown because it is not in what was kept. All
   * calls within a tenth of a second share a read, so that strangers cannot turn each of their requests into one.
   */
  latest(database: Database, read: () => Promise<T>): Promise<T>;
}

const betweenReadsMs = 100;

/**
 * Keeps what a process reads again and again, so that it is read once in so many milliseconds. A read that failed is tried again by the
 * next request.
 */
export function keptFor<T>(milliseconds: number): Kept<T> {
  const kept = new WeakMap<Database, { result: Promise<T>; readAt: number }>();
  const coming = new WeakMap<Database, Promise<T>>();
  const readNow = (database: Database, read: () => Promise<T>): Promise<T> => {
    const result = read();
    kept.set(database, { result, readAt: performance.now() });
    result.catch(() => kept.delete(database));
    return result;
  };
  const find = (database: Database, read: () => Promise<T>): Promise<T> => {
    const known = kept.get(database);
    return known && performance.now() - known.readAt < milliseconds ? known.result : readNow(database, read);
  };
  const latest = (database: Database, read: () => Promise<T>): Promise<T> => {
    const awaited = coming.get(database);
    if (awaited) return awaited;
    const sinceRead = performance.now() - (kept.get(database)?.readAt ?? Number.NEGATIVE_INFINITY);
    const next = pause(Math.max(0, betweenReadsMs - sinceRead)).then(() => {
      coming.delete(database);
      return readNow(database, read);
    });
    coming.set(database, next);
    return next;
  };
  return Object.assign(find, { latest });
}
