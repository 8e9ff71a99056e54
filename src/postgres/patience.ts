import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { TableLock } from './migration-locks.ts';

/**
 * Milliseconds for which a migration waits for its locks. Requests queue behind it meanwhile and give up after 500, so it
 * withdraws before that, lets them pass, and tries again.
 */
export const longestWait = 400;
/** Seconds after which a migration gives up. */
const patience = 300;

export interface Patience {
  announce(message: string): void;
  /** seconds */
  patience?: number;
}

/** Thrown when one lock after the other was waited for, and the time for all of them is over. */
class LocksTakenError extends Error {}

/**
 * Takes all locks of a migration before it does anything, within one time limit: a migration that held one lock while it
 * waited for the next would block requests for longer.
 */
export async function takeLocks(client: pg.Client, locks: readonly TableLock[]): Promise<void> {
  await client.query(`set local lock_timeout = ${longestWait}`);
  const { rows } = await client.query(
    `select string_agg(format('lock table %s in %s mode;', name::regclass, mode), ' ') as statements
     from unnest($1::text[], $2::text[]) lock (name, mode)
     where to_regclass(name) is not null`,
    [locks.map(({ table }) => table), locks.map(({ mode }) => mode)],
  );
  if (!rows[0].statements) return;
  await client.query(`set local statement_timeout = ${longestWait}`);
  await client.query(`do ${pg.escapeLiteral(`begin ${rows[0].statements} end`)}`).catch((error) => {
    throw hasCode(error, '57014') ? new LocksTakenError() : error;
  });
  await client.query('set local statement_timeout = 0');
}

/** Tries again as long as somebody else holds a lock, with longer and longer pauses. */
export async function patiently<T>(name: string, options: Patience, work: () => Promise<T>): Promise<T> {
  const limit = Date.now() + (options.patience ?? patience) * 1000;
  for (let wait = 250; ; wait = Math.min(wait * 2, 5000)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LocksTakenError || hasCode(error, '55P03'))) throw error;
      if (Date.now() > limit) {
        throw new Error(
          `${name}: another transaction holds a lock on its tables; nothing was changed. End that transaction ` +
            '(pg_stat_activity shows those that began long ago) and start again.',
        );
      }
      options.announce(`${name} waits for a lock that another transaction holds, and tries again.`);
      await pause(wait);
    }
  }
}

const hasCode = (error: unknown, code: string) => error instanceof pg.DatabaseError && error.code === code;
