import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { createSweep } from '../../src/operations/sweep.sql.ts';
import { openDatabase, requestSettings } from '../../src/postgres/database.ts';
import { readCpu } from '../bench/accounting.ts';
import type { Options } from './options.ts';

/** What the sweeps of a run have done. */
export interface Sweeps {
  runs: number;
  /** runs that ended with an error, such as a statement that waited too long; the next one continues where they stopped */
  failed: number;
  rows: number;
  /** seconds of all runs */
  seconds: number;
  /** microseconds of the database */
  cpu: number;
}

export interface Sweeper {
  /** the process of the connection; 0 when Postgres runs elsewhere */
  readonly pid: number;
  readonly done: Sweeps;
  /** Sweeps once, when the run that is under way has ended. */
  sweep(): Promise<number>;
  stop(): Promise<void>;
}

interface Place {
  readonly database: pg.Pool;
  readonly url: string;
  /** whether Postgres runs on this machine, so that its CPU is known */
  readonly isHere: boolean;
}

/**
 * The sweep of the server runs every hour and keeps expired rows for a day. Here the same statements run every few seconds on a
 * connection whose clock is that day ahead, except for the seconds that a row is kept.
 */
export async function startSweeper({ database, url, isHere }: Place, options: Options): Promise<Sweeper> {
  await database.query(`
    create schema later;
    create function later.now() returns timestamptz language sql stable
      as $$ select pg_catalog.now() + interval '1 day' - interval '${options.kept} seconds' $$;`);
  const settings = { ...requestSettings, search_path: 'later, pg_catalog, public' };
  const connection = openDatabase({ connectionString: url }, 1, settings);
  // its CPU is read from one process
  connection.options.maxLifetimeSeconds = 0;
  connection.options.idleTimeoutMillis = 0;
  const run = createSweep(connection);
  const done = { runs: 0, failed: 0, rows: 0, seconds: 0, cpu: 0 };
  const over = new AbortController();
  const pid = isHere ? await backendOf(connection) : 0;
  const sweepOnce = async () => {
    const [begin, before] = [performance.now(), readCpu({ pid }).pid];
    const { rows, skipped } = await run();
    if (skipped) throw new Error('the sweep left locked rows', { cause: skipped });
    done.runs += 1;
    done.rows += rows;
    done.seconds += (performance.now() - begin) / 1000;
    done.cpu += readCpu({ pid }).pid - before;
    return rows;
  };
  let last: Promise<number> = Promise.resolve(0);
  const sweep = () => {
    last = last.catch(() => 0).then(sweepOnce);
    last.catch(() => (done.failed += 1));
    return last;
  };
  const repeat = async () => {
    while (!over.signal.aborted) {
      await pause(options.sweep * 1000, undefined, { signal: over.signal }).catch(() => {});
      if (!over.signal.aborted) await sweep().catch(() => {});
    }
  };
  const repeating = repeat();
  const stop = async () => {
    over.abort();
    await repeating;
    await connection.end();
  };
  return { pid, done, sweep, stop };
}

async function backendOf(connection: pg.Pool): Promise<number> {
  const { rows } = await connection.query('select pg_backend_pid() as pid');
  return rows[0].pid;
}
