import type { Database } from './database.ts';

/** What a process reads again and again is read once in so many milliseconds. A read that failed is tried again by the next request. */
export function keptFor<T>(milliseconds: number): (database: Database, read: () => Promise<T>) => Promise<T> {
  const kept = new WeakMap<Database, { result: Promise<T>; readAt: number }>();
  return (database, read) => {
    const known = kept.get(database);
    if (known && performance.now() - known.readAt < milliseconds) return known.result;
    const result = read();
    kept.set(database, { result, readAt: performance.now() });
    result.catch(() => kept.delete(database));
    return result;
  };
}
