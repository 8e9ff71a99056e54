import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseUnavailableError, isPlanLost, isUnavailable, isUndone } from './errors.ts';
import { applySettings, type Settings } from './pooler.ts';

export type Database = pg.Pool;

/** A named prepared statement: parsed and planned once a connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export function sql(name: string, text: string): Statement {
  return { name, text };
}

export type DatabaseAddress =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string; password?: string };

/** Every wait has an end: a database that hangs must become an error, not a hanging request. */
const timeouts: Settings = {
  statement_timeout: '4s',
  // shorter than Postgres takes to look for deadlocks
  lock_timeout: '500ms',
};

/**
 * A plan outlives the moment it was made in: a table that was empty then, and read through as a whole, may hold a
 * million tokens a few minutes later. What requests ask for has an index, so plans use it; only where a table held one row
 * or two when Postgres last looked, it may still go through the whole index, until it looks again a minute later.
 * And one plan serves all values: made for a person with a million rows, it would weigh the indexes by that person.
 */
const byIndex: Settings = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
  enable_bitmapscan: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/** Settings do not travel with the start of a connection: a pooler would refuse those it does not know. */
export function openDatabase(address: DatabaseAddress, size = 16): Database {
  const database = new pg.Pool({
    ...address,
    max: size,
    application_name: 'latchkey',
    connectionTimeoutMillis: 2000,
    query_timeout: 5000,
    keepAlive: true,
    onConnect: (client) => applySettings(client, { ...timeouts, ...byIndex }),
  });
  // without a listener on every connection, checked out or not, a restart of the database would end this process
  database.on('connect', (client) => client.on('error', ignore));
  database.on('error', ignore);
  return database;
}

function ignore(): void {}

export async function rows<Row extends pg.QueryResultRow>(
  database: Database,
  statement: Statement,
  values: unknown[] = [],
  tries = 3,
): Promise<Row[]> {
  const { rows } = await withRetry(() => run<Row>(database, statement, values), tries - 1);
  return rows;
}

export async function row<Row extends pg.QueryResultRow>(
  database: Database,
  statement: Statement,
  values: unknown[] = [],
): Promise<Row | undefined> {
  const [first] = await rows<Row>(database, statement, values);
  return first;
}

/** Once more without the name, if need be: then it is planned anew, whatever this and all other connections remember. */
async function run<Row extends pg.QueryResultRow>(
  database: Database,
  { name, text }: Statement,
  values: unknown[],
): Promise<pg.QueryResult<Row>> {
  const asked = performance.now();
  if (database.waitingCount === 0) keptUp.set(database, asked);
  try {
    return await database.query<Row>({ name, text, values });
  } catch (error) {
    if (!isPlanLost(error)) throw error;
    return database.query<Row>({ text, values });
  } finally {
    const now = performance.now();
    if (now - asked < prompt) keptUp.set(database, now);
  }
}

/** Milliseconds: of an answer that came promptly, and without a single one after which more is asked than can be answered. */
const [prompt, patience] = [500, 1000];
/** when a connection was free, or an answer came promptly, for the last time */
const keptUp = new WeakMap<Database, number>();

/** By the fastest answers, not the slowest: a statement that waits for a lock says nothing about the others. */
export function keepsUp(database: Database, now: number): boolean {
  return database.waitingCount === 0 || now - (keptUp.get(database) ?? now) < patience;
}

/** A lock that did not come undid the whole statement, so running it again is safe. */
async function withRetry<T>(run: () => Promise<T>, triesLeft: number): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (triesLeft > 0 && isUndone(error)) {
      await pause(10 + Math.random() * 40);
      return withRetry(run, triesLeft - 1);
    }
    forgetRow(error);
    throw isUnavailable(error) ? new DatabaseUnavailableError('the database is unavailable', { cause: error }) : error;
  }
}

/** Postgres quotes the failed row in the detail of an error, with hashes and addresses, which must not reach the log. */
function forgetRow(error: unknown): void {
  // the detail of our own functions (`raise`) names only the values that they refuse
  if (error instanceof pg.DatabaseError && error.routine !== 'exec_stmt_raise') error.detail = undefined;
}
