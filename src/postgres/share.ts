import { addressOf, type Database, openDatabase, requestSettings } from './database.ts';

/** Milliseconds to wait for a connection, as long as for one of the pool. */
const longestWait = 2000;

/**
 * Returns a part of a pool, at most half of its connections, for pages whose statements may be slow; the other half stays free for the
 * rest.
 */
export function halfOf(database: Database): Database {
  const limit = Math.max(1, Math.floor(database.options.max / 2));
  const waiting = new Set<() => void>();
  let taken = 0;

  async function take(): Promise<void> {
    if (taken < limit) {
      taken += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(admit);
        reject(new Error('timeout: all connections of this share are in use'));
      }, longestWait);
      waiting.add(admit);
    });
  }

  /** Hands the connection to the statement that has waited the longest, if any. */
  function giveBack(): void {
    const [next] = waiting;
    if (!next) {
      taken -= 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  const query = async (...given: Parameters<Database['query']>) => {
    await take();
    try {
      return await database.query(...given);
    } finally {
      giveBack();
    }
  };
  return Object.assign(Object.create(database) as Database, { query });
}

/** Settings for searches of administrators: each plan is made for its values, and may use an index that has several entries for a row. */
const searchSettings = { plan_cache_mode: 'force_custom_plan', enable_bitmapscan: 'on' };

/**
 * Makes connections of their own, opened when they are first needed, for pages whose statements are bounded to this time: so no other
 * request ever waits for them.
 */
export function ownConnections(database: Database, size: number, statement_timeout: string): Database {
  let own: Database | undefined;
  const open = () => {
    const opened = openDatabase(addressOf(database), size, {
      ...requestSettings,
      ...searchSettings,
      statement_timeout,
    });
    // idle ones do not keep the process alive
    opened.options.allowExitOnIdle = true;
    return opened;
  };
  const query = (...given: Parameters<Database['query']>) => {
    own ??= open();
    return own.query(...given);
  };
  return Object.assign(Object.create(database) as Database, { query });
}
