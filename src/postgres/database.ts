import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { histogram } from '../telemetry/metric.ts';
import { currentSpans, recordStep } from '../telemetry/span.ts';
import { DatabaseUnavailableError, isPlanLost, isRolledBack, isUnavailable } from './database-errors.ts';
import { type Alarm, type DatabaseAddress, type Hosts, openHosts } from './hosts.ts';
import { applySettings, type Settings } from './pooler.ts';
import { watchStatement } from './pulse.ts';
import { makeDo, watchConnections } from './scarce-connections.ts';
import { closeWhenSilent } from './silent-connections.ts';

export type Database = pg.Pool;

/** A named prepared statement, which each connection parses and plans once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** All statements, by name. A connection parses a name once, so two texts must not share one. */
export const statements = new Map<string, Statement>();

export function sql(name: string, text: string): Statement {
  if (statements.has(name)) throw new Error(`two statements are called ${name}`);
  const statement = { name, text };
  statements.set(name, statement);
  return statement;
}

/** Time limits for every wait, so that a hanging database causes an error and not a hanging request. */
const timeouts: Settings = {
  statement_timeout: '4s',
  // shorter than deadlock_timeout
  lock_timeout: '500ms',
};

/**
 * Planner settings for the statements of requests, which all have an index. A plan is kept for the life of a connection: one
 * made while a table was empty would still read the whole table when it is filled, and a refresh would take three times the
 * CPU. One generic plan serves all values, since a plan for a user with a million rows would choose its indexes for that
 * user. The price: on a table that had one or two rows when Postgres last analysed it, a plan may read a whole index, for a
 * minute at most.
 */
const plannerSettings: Settings = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
  enable_bitmapscan: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
};

export const requestSettings: Settings = { ...timeouts, ...plannerSettings };
/** Settings for operators' commands, which run each statement once, and some of which list whole tables. */
export const commandSettings: Settings = { ...timeouts, plan_cache_mode: 'force_custom_plan' };

/** Opens a pool. Its settings are not startup parameters, because a pooler refuses those that it does not know. */
export function openDatabase(
  address: DatabaseAddress,
  size = 16,
  settings = requestSettings,
  alarm: Alarm = ignore,
): Database {
  const hosts = openHosts(address, alarm);
  const database = new pg.Pool({
    ...hosts.config,
    Client: hosts.Client,
    max: size,
    application_name: 'latchkey',
    connectionTimeoutMillis: 2000,
    query_timeout: 5000,
    keepAlive: true,
    // a proxy that has sent everything to one server while another was away can spread new connections again
    maxLifetimeSeconds: 600,
    onConnect: async (client) => {
      closeWhenSilent(client);
      await hosts.admit(client);
      await applySettings(client, settings);
    },
  });
  // without a listener on every connection, also on those in use, a restart of the database would end this process
  database.on('connect', (client) =>
    client.on('error', ignore).on('notice', (notice) => refuseUnconfirmed(client, notice)),
  );
  database.on('error', hosts.forget);
  database.on('release', (error) => isUnavailable(error) && hosts.forget());
  hosts.watch(() => database.ending);
  confirmations.set(database.options, hosts.confirm);
  addresses.set(database.options, address);
  watchConnections(database);
  return database;
}

function ignore(): void {}

/** Confirmations by the options of the pool, which a part of the pool (share.ts) has, too. */
const confirmations = new WeakMap<object, Hosts['confirm']>();

const addresses = new WeakMap<object, DatabaseAddress>();

/** Returns where a pool, or a part of it, is connected to. */
export function addressOf(database: Database): DatabaseAddress {
  const address = addresses.get(database.options);
  if (!address) throw new Error('the pool was not opened by openDatabase');
  return address;
}

/**
 * Confirms, before a refusal, that the server that was asked has not been replaced since the request arrived; rejects otherwise. So a
 * client is never told that its token is invalid by a server that has missed its issue.
 */
export async function confirmServer(database: Database, since: number): Promise<void> {
  await confirmations.get(database.options)?.(since);
}

/**
 * Postgres gives up waiting for a synchronous standby when the statement is cancelled. It has committed then and says so with
 * a success and a warning, but a fail-over would lose it: nobody knows, as if there had been no answer. The text of the
 * warning is in the language of the server, the name of the routine is not.
 */
function refuseUnconfirmed(client: pg.ClientBase, notice: { routine?: string | undefined }): void {
  if (notice.routine === 'SyncRepWaitForLSN') client.emit('error', new Error('no standby has confirmed the commit'));
}

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

/** Whether the statement returns a row: a statement that changes something returns what it has changed. */
export async function hasRow(database: Database, statement: Statement, values: unknown[] = []): Promise<boolean> {
  return (await row(database, statement, values)) !== undefined;
}

/** Runs a statement; if the prepared statement was lost, once more without its name, so that it is planned again. */
async function run<Row extends pg.QueryResultRow>(
  database: Database,
  { name, text }: Statement,
  values: unknown[],
): Promise<pg.QueryResult<Row>> {
  const start = performance.now();
  const answered = watchStatement(database, start);
  const spans = currentSpans();
  let isFailed = false;
  try {
    return await makeDo(database, () => database.query<Row>({ name, text, values }));
  } catch (error) {
    isFailed = !isPlanLost(error);
    if (isFailed) throw error;
    return database.query<Row>({ text, values });
  } finally {
    const end = performance.now();
    answered(end);
    durations.observe((end - start) / 1000);
    recordStep(spans, { name, kind: 'client', start, end, attributes: stepAttributes, isFailed });
  }
}

const durations = histogram(
  'latchkey_statement_duration_seconds',
  'SQL statements with the wait for a connection.',
  [0.001, 0.005, 0.025, 0.1, 0.5, 2],
);

/** The name of the statement is the name of the step; its parameters are recorded nowhere. */
const stepAttributes = { 'db.system.name': 'postgresql' };

/** Runs a statement again if it was rolled back, after a lock timeout for instance. */
async function withRetry<T>(run: () => Promise<T>, triesLeft: number): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (triesLeft > 0 && isRolledBack(error)) {
      await pause(10 + Math.random() * 40);
      return withRetry(run, triesLeft - 1);
    }
    forgetRow(error);
    throw isUnavailable(error) ? new DatabaseUnavailableError('the database is unavailable', { cause: error }) : error;
  }
}

/** Removes the failed row, which Postgres quotes in the detail of an error, with hashes and addresses that must not reach the log. */
function forgetRow(error: unknown): void {
  // the detail of our own functions (`raise`) names only the values that they refuse
  if (error instanceof pg.DatabaseError && error.routine !== 'exec_stmt_raise') error.detail = undefined;
}
