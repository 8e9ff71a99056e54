import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type pg from 'pg';
import { isRolledBack } from './database-errors.ts';
import type { DatabaseAddress } from './hosts.ts';
import { locksOf } from './migration-locks.ts';
import { longestWait, type Patience, patiently, takeLocks } from './patience.ts';
import { runSeed, type SeedResult, type SeedRun } from './seeds.ts';
import { explainError, readSqlFile, runSqlFile } from './sql-file.ts';
import { defineFunctions, type FunctionFile, listFunctions } from './sql-functions.ts';
import { inTransaction, OthersTurnError, withConnection } from './transaction.ts';

export interface Migration {
  number: number;
  name: string;
  path: string;
  /** the paths of the files before it, in order */
  earlier: string[];
}

export interface MigrationState {
  pending: Migration[];
  functions: FunctionFile[];
  /** applied by a newer version of this program; migrations are forward-compatible, so this version still works */
  unknown: string[];
}

/** Lists numbered files in order. Gaps are allowed, and files with other names are ignored. */
export async function listMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{3}_.+\.sql$/.test(name)).sort();
  const paths = names.map((name) => join(directory, name));
  const migrations = names.map((name, index) => ({
    number: Number(name.slice(0, 3)),
    name,
    path: join(directory, name),
    earlier: paths.slice(0, index),
  }));
  const twice = migrations.find(({ number }, index) => migrations[index - 1]?.number === number);
  if (twice) throw new Error(`${twice.name}: another migration has the same number`);
  return migrations;
}

export async function findMigrationState(address: DatabaseAddress, directory: string): Promise<MigrationState> {
  const migrations = await listMigrations(directory);
  const functions = await listFunctions(directory);
  return withConnection(address, async (client) => {
    const applied = new Set(await readColumn(client, 'migrations', 'name'));
    const defined = new Set(await readColumn(client, 'sql_functions', `name || ' ' || sha256`));
    const unknown = [...applied].filter((name) => !migrations.some((migration) => migration.name === name));
    refuseOtherHistory(unknown, migrations);
    return {
      pending: migrations.filter(({ name }) => !applied.has(name)),
      functions: functions.filter(({ name, sha256 }) => !defined.has(`${name} ${sha256}`)),
      unknown,
    };
  });
}

/** Refuses a database from before 1.0.0, which had other files under the same numbers. */
function refuseOtherHistory(unknown: readonly string[], migrations: readonly Migration[]): void {
  const other = unknown.find((name) => migrations.some(({ number }) => number === Number(name.slice(0, 3))));
  if (other === undefined) return;
  throw new Error(
    `This database is of a version before 1.0.0 (it has ${other}), which cannot be upgraded: give this version an empty database, and move the data as migrations/README.md says.`,
  );
}

export async function findProperties(
  address: DatabaseAddress,
): Promise<{ name: string; encoding: string; version: number }> {
  return withConnection(address, async (client) => {
    const { rows } = await client.query(
      `select current_database() as name, current_setting('server_encoding') as encoding,
         current_setting('server_version_num')::integer / 10000 as version`,
    );
    return rows[0];
  });
}

async function readColumn(client: pg.Client, table: string, column: string): Promise<string[]> {
  const { rows } = await client.query('select to_regclass($1) is not null as exists', [table]);
  if (!rows[0].exists) return [];
  return (await client.query({ text: `select (${column})::text from ${table}`, rowMode: 'array' })).rows.flat();
}

/** Told after each file how many of all are applied. */
export type Progress = (done: number, all: number) => void;

export interface ApplyOptions extends Patience {
  progress?: Progress;
  /** the names of some migrations, without the functions */
  only?: readonly string[];
}

/**
 * Applies pending files. Each migration is recorded in its own transaction. The advisory lock belongs to the transaction, not
 * the session, so that it works behind a pooler; a process that waited for the lock finds the file applied.
 */
export async function applyMigrations(
  address: DatabaseAddress,
  directory: string,
  options: ApplyOptions = { announce: () => {} },
): Promise<(Migration | FunctionFile)[]> {
  const state = await findMigrationState(address, directory);
  const pending = state.pending.filter(({ name }) => options.only?.includes(name) ?? true);
  const functions = options.only ? [] : state.functions;
  if (pending.length + functions.length === 0) return [];
  return withConnection(address, async (client) => {
    const applied: (Migration | FunctionFile)[] = [];
    for (const migration of pending) {
      const isDone = await patiently(migration.name, options, () =>
        inTransaction(client, () => applyMigration(client, migration, address)),
      );
      if (isDone) applied.push(migration);
      options.progress?.(pending.indexOf(migration) + 1, pending.length + functions.length);
    }
    if (functions.length === 0) return applied;
    return [...applied, ...(await inTransaction(client, () => defineFunctions(client, functions)))];
  });
}

/** Applies a migration; false if another process has applied it. */
async function applyMigration(client: pg.Client, migration: Migration, address: DatabaseAddress): Promise<boolean> {
  const { number, name, path, earlier } = migration;
  await client.query(`create table if not exists migrations (
    number integer primary key, name text not null, applied_at timestamptz not null default now())`);
  // the query has no parameter: the portal of a parametrized query keeps its snapshot, for which `create index concurrently` would
  // wait
  const { rows } = await client.query(`select from migrations where number = ${number}`);
  if (rows.length > 0) return false;
  const text = await readSqlFile(path);
  if (runsByStatement(text)) {
    await withConnection(address, (other) => runStatements(other, text)).catch((error) => {
      throw explainError(error, path, text);
    });
  } else {
    await takeLocks(client, await locksOf(path, earlier));
    await runSqlFile(client, path);
  }
  await client.query('insert into migrations values ($1, $2)', [number, name]);
  return true;
}

const runsByStatement = (text: string) => text.startsWith('-- Each statement by itself.\n');

/**
 * Runs what takes long or cannot be in a transaction, such as `create index concurrently`. The caller's transaction holds the
 * advisory lock meanwhile. After a failure the file starts again, so each statement can be repeated.
 */
async function runStatements(client: pg.Client, text: string): Promise<void> {
  for (const { statement, makesStatements } of statementsIn(text)) {
    if (!makesStatements) await runStatement(client, statement);
    else {
      const { rows } = await client.query({ text: statement, rowMode: 'array' });
      for (const made of rows.flat()) await runStatement(client, made);
    }
  }
}

/** The statements of such a file. What a query returns that ends with `\gexec`, as in psql, is statements in its turn. */
export function statementsIn(text: string): { statement: string; makesStatements: boolean }[] {
  const parts = text.split(/(;|\\gexec)[ \t]*$/m);
  const statements = parts.flatMap((statement, index) =>
    index % 2 ? [] : { statement, makesStatements: parts[index + 1] === '\\gexec' },
  );
  return statements.filter(({ statement }) => statement.trim() !== '');
}

async function runStatement(client: pg.Client, statement: string): Promise<void> {
  // it waits for all transactions that began before it, and delays nobody
  if (/\bconcurrently\b/i.test(statement)) await client.query(statement);
  else await client.query(`set local lock_timeout = ${longestWait}; ${statement}`);
}

/** How long, in seconds, the start of a server, or a command, waits for another process. */
export interface SeedPatience {
  readonly patience?: number;
  readonly announce?: (message: string) => void;
}

/**
 * The file is one statement to Postgres, which would go on with it, and hold its locks, after the process was ended. Not every operating
 * system can tell.
 */
const endedWithProcess = `do $$ begin
  set local client_connection_check_interval = '1s';
exception when invalid_parameter_value then null;
end $$`;

/** Runs a seed in one transaction, on a migrated database. */
export async function applySeed(
  address: DatabaseAddress,
  path: string,
  { patience, announce = () => {}, ...run }: SeedRun & SeedPatience = {},
): Promise<SeedResult> {
  const turn = patience === undefined ? undefined : patience * 1000;
  const apply = async (client: pg.Client) => {
    await client.query(`set local lock_timeout = ${longestWait}`);
    await client.query(endedWithProcess);
    return runSeed(client, path, run);
  };
  return withConnection(address, (client) =>
    patiently(basename(path), { announce, ...(patience === undefined ? {} : { patience }) }, () =>
      inTransaction(client, () => apply(client), turn),
    ),
  );
}

class Rehearsed extends Error {}

/** Runs a seed and rolls it back: throws what a start would throw, or an OthersTurnError after two seconds. */
export async function rehearseSeed(address: DatabaseAddress, path: string, run: SeedRun = {}): Promise<SeedResult> {
  let result: SeedResult = { changes: [], left: [], asked: {}, digest: '' };
  const rehearse = async (client: pg.Client) => {
    await client.query(`set local lock_timeout = '2s'; set local statement_timeout = '60s'`);
    await client.query(endedWithProcess);
    result = await runSeed(client, path, { ...run, isPlan: true });
    throw new Rehearsed();
  };
  await withConnection(address, (client) => inTransaction(client, () => rehearse(client), 2000)).catch((error) => {
    if (isRolledBack(error)) throw new OthersTurnError('another transaction holds a lock that it needs');
    if (!(error instanceof Rehearsed)) throw error;
  });
  return result;
}
