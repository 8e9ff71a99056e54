import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '../embedded-postgres/start.ts';
import { type Database, type DatabaseAddress, openDatabase } from '../postgres/database.ts';
import { isUnreachable } from '../postgres/errors.ts';
import {
  applyMigrations,
  applySeed,
  findEncoding,
  findMigrationState,
  listFunctions,
  listMigrations,
} from '../postgres/migrations.ts';
import { checkPooler } from '../postgres/pooler.ts';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));
const demoSeed = fileURLToPath(new URL('../../migrations/seeds/demo.sql', import.meta.url));

/** A database that answers, wherever it runs, and how to let go of it. */
export interface Boot {
  readonly address: DatabaseAddress;
  readonly database: Database;
  /** resolves with a sentence when an embedded server ends by itself; never for a server elsewhere */
  readonly lost: Promise<string>;
  close(): Promise<void>;
}

type Say = (sentence: string) => void;

/** `share`: a command may use the embedded server of a process that is running, which a second process must not start. */
export async function bootDatabase(config: Config, say: Say, share = false, signal?: AbortSignal): Promise<Boot> {
  if (config.database_url !== undefined) {
    const address = { connectionString: config.database_url };
    await waitForDatabase(address, say, signal);
    await checkEncoding(address);
    return boot(address, new Promise(() => {}), async () => {});
  }
  const running = share ? await findRunningPostgres(config.data_dir) : undefined;
  if (running) return boot(running, new Promise(() => {}), async () => {});
  const embedded = await startEmbeddedPostgres({ dataDir: config.data_dir, durable: true, say });
  return boot(embedded.connection, embedded.exited, () => embedded.stop());
}

function boot(address: DatabaseAddress, lost: Promise<string>, stop: () => Promise<void>): Boot {
  const database = openDatabase(address);
  const close = async () => {
    // a statement that hangs is not waited for
    await Promise.race([database.end(), pause(1500)]);
    await stop();
  };
  return { address, database, lost, close };
}

/** A server that is starting beside this one is worth waiting for; a wrong password or name is not. */
export async function waitForDatabase(
  address: DatabaseAddress,
  say: Say,
  signal = new AbortController().signal,
  patience = 30,
): Promise<void> {
  for (let second = 0; ; second += 1) {
    try {
      await tryOut(address);
      return;
    } catch (error) {
      const reason = describe(error);
      if (!isUnreachable(error)) throw new Error(`DATABASE_URL: the database cannot be used: ${reason}`);
      if (second >= patience) {
        throw new Error(`DATABASE_URL: the database did not answer within ${patience} s: ${reason}`);
      }
      if (second % 5 === 0) say(`Waiting for the database: ${reason}`);
      await pause(1000, undefined, { signal });
    }
  }
}

/** In another encoding a name that it lacks would be an error in the middle of a request. */
async function checkEncoding(address: DatabaseAddress): Promise<void> {
  const { name, encoding } = await findEncoding(address);
  if (encoding === 'UTF8') return;
  throw new Error(
    `DATABASE_URL: the database ${name} has the encoding ${encoding}, which cannot hold every name; ` +
      `use one made with: create database ${name} encoding 'UTF8' template template0;`,
  );
}

/** As requests will use it, so that what cannot work fails now, with its reason. */
async function tryOut(address: DatabaseAddress): Promise<void> {
  const database = openDatabase(address, 2);
  try {
    await checkPooler(database);
  } finally {
    await database.end();
  }
}

/** A name with several addresses fails with one error for each. */
function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join(', ');
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}

/** Migrations, then the seed; both safe to run again and by several processes at once. */
export async function prepareDatabase(config: Config, address: DatabaseAddress, say: Say): Promise<void> {
  await migrateDatabase(address, say);
  const seed = config.seed_file ?? (config.demo ? demoSeed : undefined);
  if (seed !== undefined) await applySeed(address, seed);
}

export async function migrateDatabase(address: DatabaseAddress, say: Say): Promise<string[]> {
  const { unknown } = await findMigrationState(address, migrations);
  if (unknown.length > 0) say(`The database was migrated by a newer version (migrations ${unknown.join(', ')}).`);
  const applied = await applyMigrations(address, migrations);
  for (const step of applied)
    say('number' in step ? `Applied migration ${step.name}.` : `Defined function ${step.name}.`);
  return applied.map(({ name }) => name);
}

/** Without an address: those of a database that does not exist yet, which is all of them. */
export async function pendingMigrations(address?: DatabaseAddress): Promise<string[]> {
  const { pending, functions } = address
    ? await findMigrationState(address, migrations)
    : { pending: await listMigrations(migrations), functions: await listFunctions(migrations) };
  return [...pending, ...functions].map(({ name }) => name);
}
