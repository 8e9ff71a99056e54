import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { DatabaseAddress } from './database.ts';
import { refusePublicSuffixes, runSeed } from './seeds.ts';
import { runSqlFile } from './sql-file.ts';

export interface Migration {
  number: number;
  name: string;
  path: string;
}

/** A file that defines one SQL function; applied again whenever its text changes. */
export interface FunctionFile {
  name: string;
  path: string;
  sha256: string;
}

export interface MigrationState {
  pending: Migration[];
  functions: FunctionFile[];
  /** applied by a newer version of this program; migrations are forward-compatible, so this version still works */
  unknown: number[];
}

/** Numbered files in order. Gaps are allowed, and files with other names are ignored. */
export async function listMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{3}_.+\.sql$/.test(name)).sort();
  const migrations = names.map((name) => ({ number: Number(name.slice(0, 3)), name, path: join(directory, name) }));
  const twice = migrations.find(({ number }, index) => migrations[index - 1]?.number === number);
  if (twice) throw new Error(`${twice.name}: another migration has the same number`);
  return migrations;
}

/** `functions/<name>.sql` defines the function of that name. */
export async function listFunctions(directory: string): Promise<FunctionFile[]> {
  const folder = join(directory, 'functions');
  const names = existsSync(folder) ? (await readdir(folder)).filter((name) => /^[a-z_]+\.sql$/.test(name)).sort() : [];
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const sha256 = createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
      return { name: name.replace('.sql', ''), path, sha256 };
    }),
  );
}

export async function findMigrationState(address: DatabaseAddress, directory: string): Promise<MigrationState> {
  const migrations = await listMigrations(directory);
  const functions = await listFunctions(directory);
  return withConnection(address, async (client) => {
    const applied = new Set((await readColumn(client, 'migrations', 'number')).map(Number));
    const defined = new Set(await readColumn(client, 'sql_functions', `name || ' ' || sha256`));
    const numbers = new Set(migrations.map(({ number }) => number));
    return {
      pending: migrations.filter(({ number }) => !applied.has(number)),
      functions: functions.filter(({ name, sha256 }) => !defined.has(`${name} ${sha256}`)),
      unknown: [...applied].filter((number) => !numbers.has(number)),
    };
  });
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

/**
 * Applies pending files. Each migration is recorded in its own transaction. The advisory lock belongs to the transaction, not
 * the session, so that it works behind a pooler; a process that waited for the lock finds the file applied.
 */
export async function applyMigrations(
  address: DatabaseAddress,
  directory: string,
): Promise<(Migration | FunctionFile)[]> {
  const { pending, functions } = await findMigrationState(address, directory);
  if (pending.length + functions.length === 0) return [];
  return withConnection(address, async (client) => {
    const applied: (Migration | FunctionFile)[] = [];
    for (const migration of pending) {
      await inTransaction(client, async () => {
        await client.query(`create table if not exists migrations (
          number integer primary key, name text not null, applied_at timestamptz not null default now())`);
        const { rowCount } = await client.query('insert into migrations values ($1, $2) on conflict do nothing', [
          migration.number,
          migration.name,
        ]);
        if (rowCount === 0) return;
        await runSqlFile(client, migration.path);
        applied.push(migration);
      });
    }
    if (functions.length === 0) return applied;
    return [...applied, ...(await inTransaction(client, () => defineFunctions(client, functions)))];
  });
}

/**
 * Every text that was ever applied is remembered, not only the last one: an older version that starts beside a newer one
 * finds its text there and leaves the newer definition alone. To bring an old text back, change it (a comment will do).
 */
async function defineFunctions(client: pg.Client, functions: FunctionFile[]): Promise<FunctionFile[]> {
  await client.query(`create table if not exists sql_functions (
    name text not null, sha256 text not null, applied_at timestamptz not null default now(), primary key (name, sha256))`);
  const defined: FunctionFile[] = [];
  for (const file of functions) {
    const { rowCount } = await client.query(
      'insert into sql_functions (name, sha256) values ($1, $2) on conflict do nothing',
      [file.name, file.sha256],
    );
    if (rowCount === 0) continue;
    await runSqlFile(client, file.path);
    await dropEarlierSignatures(client, file.name);
    defined.push(file);
  }
  return defined;
}

/** With other parameters, `create or replace` adds a second function, and calls would be ambiguous. */
async function dropEarlierSignatures(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query(
    `select oid::regprocedure::text as signature
     from pg_proc
     where proname = $1
       and pronamespace = current_schema()::regnamespace
       and xmin <> pg_current_xact_id()::xid`,
    [name],
  );
  for (const { signature } of rows) await client.query(`drop function ${signature}`);
}

/** Runs a seed in one transaction, on a migrated database. */
export async function applySeed(address: DatabaseAddress, path: string): Promise<void> {
  await withConnection(address, (client) =>
    inTransaction(client, async () => {
      await runSeed(client, path);
      await refusePublicSuffixes(client, path);
    }),
  );
}

async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    // "latchkey" in hexadecimal; processes that start at the same time migrate and seed one after the other
    await client.query(`select pg_advisory_xact_lock(x'6c617463686b6579'::bigint)`);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function withConnection<T>(address: DatabaseAddress, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 2000, application_name: 'latchkey-migrations' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
