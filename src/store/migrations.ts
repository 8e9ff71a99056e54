import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { DatabaseAddress } from './database.ts';
import { runSqlFile } from './sql-file.ts';

export interface Migration {
  number: number;
  name: string;
  path: string;
}

export interface MigrationState {
  pending: Migration[];
  /** applied by a newer version of this program; migrations only ever add, so this version still works */
  unknown: number[];
}

/** Numbered files, in order; gaps and other names are not ours to guess about. */
export async function listMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{3}_.+\.sql$/.test(name)).sort();
  const migrations = names.map((name) => ({ number: Number(name.slice(0, 3)), name, path: join(directory, name) }));
  const twice = migrations.find(({ number }, index) => migrations[index - 1]?.number === number);
  if (twice) throw new Error(`${twice.name}: another migration has the same number`);
  return migrations;
}

export async function findMigrationState(address: DatabaseAddress, directory: string): Promise<MigrationState> {
  const migrations = await listMigrations(directory);
  return withConnection(address, async (client) => {
    const known = await client.query(`select to_regclass('migrations') is not null as known`);
    const { rows } = known.rows[0].known ? await client.query('select number from migrations') : { rows: [] };
    const applied = new Set(rows.map(({ number }) => Number(number)));
    const numbers = new Set(migrations.map(({ number }) => number));
    return {
      pending: migrations.filter(({ number }) => !applied.has(number)),
      unknown: [...applied].filter((number) => !numbers.has(number)),
    };
  });
}

/**
 * Applies what is missing, each file in a transaction of its own, which also records it. The lock is held by the
 * transaction, not the session, so it works behind a pooling proxy; who waited for it finds the file applied.
 */
export async function applyMigrations(address: DatabaseAddress, directory: string): Promise<Migration[]> {
  const { pending } = await findMigrationState(address, directory);
  if (pending.length === 0) return [];
  return withConnection(address, async (client) => {
    const applied: Migration[] = [];
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
    return applied;
  });
}

/** All of the file or nothing of it. */
export async function applySeed(address: DatabaseAddress, path: string): Promise<void> {
  await withConnection(address, (client) => inTransaction(client, () => runSqlFile(client, path)));
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    // "latchkey" in hexadecimal: two processes starting at once migrate, and seed, one after the other
    await client.query(`select pg_advisory_xact_lock(x'6c617463686b6579'::bigint)`);
    await work();
    await client.query('commit');
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
