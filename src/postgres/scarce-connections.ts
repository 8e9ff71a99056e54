import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { hasNoConnectionLeft } from './database-errors.ts';

// Postgres accepts a number of connections (max_connections) that all instances share. An instance that gets no more makes do
// with those that it has, instead of failing requests; one that gets none at all waits, and says why.

interface Share {
  /** connections that were accepted and are not closed */
  held: number;
  /** the configured size */
  readonly size: number;
  /** Postgres has refused a connection, and no other one is requested for a moment */
  isShort: boolean;
}

/** Shares by the options of the pool, which a part of the pool (share.ts) has, too. */
const shares = new WeakMap<object, Share>();

export function watchConnections(database: pg.Pool): void {
  const share: Share = { held: 0, size: database.options.max, isShort: false };
  shares.set(database.options, share);
  database.on('connect', (client) => {
    share.held += 1;
    // counted here and not at `remove` of the pool, which also tells of connections that were lost before they were
    // accepted
    client.once('end', () => (share.held -= 1));
  });
}

/** Between one and two seconds, so that instances do not all ask at the same moment. */
const shortageMs = () => 1000 + Math.random() * 1000;

/**
 * Runs a query of the pool. If Postgres refuses a connection for it, nothing was sent yet, and it waits for one of those that
 * the pool has.
 */
export async function makeDo<T>(database: pg.Pool, query: () => Promise<T>): Promise<T> {
  try {
    return await query();
  } catch (error) {
    const share = shares.get(database.options);
    if (!share || !hasNoConnectionLeft(error)) throw error;
    database.options.max = share.held;
    if (!share.isShort) setTimeout(() => endShortage(database, share), shortageMs()).unref();
    share.isShort = true;
    if (share.held === 0) throw error;
    return await query();
  }
}

function endShortage(database: pg.Pool, share: Share): void {
  share.isShort = false;
  database.options.max = share.size;
}

interface WaitOptions {
  /** called at the first try that fails, and at every tenth */
  onShortage(): void;
  readonly signal: AbortSignal;
}

/** Tries again at a start, every second or two at first and later every ten, for as long as Postgres has no connection left. */
export async function whenConnectionsAreLeft<T>(work: () => Promise<T>, options: WaitOptions): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!hasNoConnectionLeft(error)) throw error;
      if (tries % 10 === 0) options.onShortage();
      const longest = Math.min(1000 * 2 ** tries, 9000);
      await pause(1000 + Math.random() * longest, undefined, { signal: options.signal });
    }
  }
}
