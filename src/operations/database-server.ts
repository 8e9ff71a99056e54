import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config/config.ts';
import { root } from '../folders.ts';
import { commandSettings, type Database, openDatabase, requestSettings } from '../postgres/database.ts';
import { DatabaseUnavailableError, isUnreachable, reasonOf } from '../postgres/database-errors.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '../postgres/embedded/start.ts';
import type { Alarm, DatabaseAddress } from '../postgres/hosts.ts';
import { locksOf, type TableLock } from '../postgres/migration-locks.ts';
import {
  applyMigrations,
  applySeed,
  findMigrationState,
  findProperties,
  listMigrations,
  type MigrationState,
  type Progress,
} from '../postgres/migrations.ts';
import { checkPooler } from '../postgres/pooler.ts';
import { readSqlFile } from '../postgres/sql-file.ts';
import { listFunctions } from '../postgres/sql-functions.ts';
import { systemUser } from '../postgres/system-user.ts';
import { primaryPoolSize, whileAway } from './connections.ts';
import type { Announce } from './log.ts';
import { withoutSameSecrets } from './seeded-secrets.ts';

const migrations = fileURLToPath(new URL('migrations', root));
const demoSeed = fileURLToPath(new URL('migrations/seeds/demo.sql', root));

/** A Postgres server that accepts connections: the embedded one, or that of DATABASE_URL. */
export interface DatabaseServer {
  readonly address: DatabaseAddress;
  readonly database: Database;
  /** resolves with a message when the embedded server exits unexpectedly; never for a server of DATABASE_URL */
  readonly exited: Promise<string>;
  /** closes the connections, and stops the embedded server if this process started it */
  close(): Promise<void>;
}

interface ConnectOptions {
  readonly announce: Announce;
  /** told when the operator must stop a database server */
  readonly alarm?: Alarm;
  /** whether this is an operator's command: it may use the embedded server of a running process, which a second server must not */
  readonly isCommand?: boolean;
  readonly signal?: AbortSignal;
  /** how long to wait for a server that cannot be reached */
  readonly timeoutSeconds?: number;
}

/** Waits for the server of DATABASE_URL, or starts the embedded one. */
export async function connectDatabase(config: Config, options: ConnectOptions): Promise<DatabaseServer> {
  if (config.database_url !== undefined) {
    const address = { connectionString: config.database_url };
    await waitForDatabase(address, options);
    await orUnavailable(() => checkProperties(address));
    return externalServer(config, address, options);
  }
  const running = options.isCommand ? await findRunningPostgres(config.data_dir) : undefined;
  if (running) return externalServer(config, running, options);
  const { announce, signal } = options;
  const embedded = await startEmbeddedPostgres({ dataDir: config.data_dir, durable: true, announce, signal });
  const database = openPool(config, embedded.connection, options);
  const close = async () => {
    await closePool(database);
    await embedded.stop();
  };
  return { address: embedded.connection, database, exited: embedded.exited, close };
}

function externalServer(config: Config, address: DatabaseAddress, options: ConnectOptions): DatabaseServer {
  const database = openPool(config, address, options);
  return { address, database, exited: new Promise(() => {}), close: () => closePool(database) };
}

function openPool(config: Config, address: DatabaseAddress, options: ConnectOptions): Database {
  const { isCommand, announce, alarm = announce } = options;
  return openDatabase(address, primaryPoolSize(config), isCommand ? commandsSettings() : requestSettings, alarm);
}

/** The trail of events says who ran a command (migrations/024_administration.sql). */
const commandsSettings = () => ({ ...commandSettings, 'latchkey.system_user': systemUser() });

/** Closes the pool, without waiting for a statement that hangs. */
async function closePool(database: Database): Promise<void> {
  // the timer must not keep a command from ending
  await Promise.race([database.end(), pause(1500, undefined, { ref: false })]);
}

/** Waits while the server cannot be reached, as when it is starting; a wrong password or database name fails at once. */
export function waitForDatabase(address: DatabaseAddress, options: Parameters<typeof whileAway>[1]): Promise<void> {
  const tryOnce = async () => {
    try {
      await orUnavailable(() => tryConnection(address));
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) throw error;
      throw new Error(`DATABASE_URL: the database cannot be used: ${reasonOf(error)}`);
    }
  };
  return whileAway(tryOnce, options);
}

/** Turns errors that another try may not meet into DatabaseUnavailableError; leaves the others as they are. */
async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isUnreachable(error) ? new DatabaseUnavailableError('the database is unavailable', { cause: error }) : error;
  }
}

const oldestVersion = 14;

/** Requires UTF-8: in another encoding, a name with a character that the encoding lacks would fail in the middle of a request. */
async function checkProperties(address: DatabaseAddress): Promise<void> {
  const { name, encoding, version } = await findProperties(address);
  if (version < oldestVersion) {
    throw new Error(
      `DATABASE_URL: the server is Postgres ${version}; Latchkey needs Postgres ${oldestVersion} or newer`,
    );
  }
  if (encoding === 'UTF8') return;
  throw new Error(
    `DATABASE_URL: the database ${name} has the encoding ${encoding}, which cannot store every name; ` +
      `use one created with: create database ${name} encoding 'UTF8' template template0;`,
  );
}

/** Connects with the settings that requests use, so that an incompatible server or pooler is refused at the start. */
async function tryConnection(address: DatabaseAddress): Promise<void> {
  const database = openDatabase(address, 2);
  try {
    await checkPooler(database);
  } finally {
    await database.end();
  }
}

/** Applies migrations, then the seed. Both are safe to repeat, and for several processes at once. */
export function migrateAndSeed(
  config: Config,
  { address, database }: Pick<DatabaseServer, 'address' | 'database'>,
  announce: Announce,
): Promise<void> {
  return orUnavailable(async () => {
    await migrateDatabase(address, announce);
    const seed = config.seed_file ?? (config.demo ? demoSeed : undefined);
    if (seed === undefined) return;
    const withoutSame = withoutSameSecrets(config, database);
    await applySeed(address, seed, { passwords: config.passwords, withoutSame, announce });
  });
}

/** Applies the migrations that another database had applied; fails if this version lacks one of them. */
export async function applyKnownMigrations(address: DatabaseAddress, names: readonly string[]): Promise<void> {
  const known = new Set((await listMigrations(migrations)).map(({ name }) => name));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new Error(
      `The backup is of another version (migrations ${unknown.join(', ')}): restore it with that version.`,
    );
  }
  await applyMigrations(address, migrations, { announce: () => {}, only: names });
}

export async function migrateDatabase(
  address: DatabaseAddress,
  announce: Announce,
  progress?: Progress,
): Promise<string[]> {
  const { unknown } = await findMigrationState(address, migrations);
  if (unknown.length > 0) announce(`The database was migrated by a newer version (${unknown.join(', ')}).`);
  const applied = await applyMigrations(address, migrations, { announce, ...(progress && { progress }) });
  const names = applied.map(({ name }) => name);
  if (names.length > 0) announce(`Applied ${describeFiles(names)}.`);
  return names;
}

/** Describes migrations and functions in one line, because a new database needs all of them. */
export function describeFiles(files: readonly string[]): string {
  const names = files.filter((name) => /^\d{3}_/.test(name));
  const functions = files.length - names.length;
  const range = names.length === 1 ? names[0] : `${names[0]} to ${names.at(-1)}`;
  const parts = [
    ...(names.length > 0 ? [`${counted(names.length, 'migration')} (${range})`] : []),
    ...(functions > 0 ? [counted(functions, 'SQL function')] : []),
  ];
  return parts.join(' and ');
}

/** Lists the tables that migrations create; undefined where a newer version has applied migrations that are not known here. */
export async function listOwnTables(address: DatabaseAddress): Promise<ReadonlySet<string> | undefined> {
  const { unknown } = await findMigrationState(address, migrations);
  if (unknown.length > 0) return undefined;
  const files = await Promise.all((await listMigrations(migrations)).map(({ path }) => readSqlFile(path)));
  return new Set(
    files.flatMap((text) => [...text.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, name = '']) => name)),
  );
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Finds pending migrations and functions; without an address, all migrations and functions, which a new database needs. */
async function findPending(address?: DatabaseAddress): Promise<Pick<MigrationState, 'pending' | 'functions'>> {
  if (address) return findMigrationState(address, migrations);
  return { pending: await listMigrations(migrations), functions: await listFunctions(migrations) };
}

export async function listPending(address: DatabaseAddress): Promise<string[]> {
  const { pending, functions } = await findPending(address);
  return [...pending, ...functions].map(({ name }) => name);
}

export interface PlannedFile {
  name: string;
  /** locks on tables that exist before the file runs */
  locks: TableLock[];
  sql: string;
}

/** Returns what migrateDatabase would apply. */
export async function planMigrations(address?: DatabaseAddress): Promise<PlannedFile[]> {
  const { pending, functions } = await findPending(address);
  const files = [...pending, ...functions.map((file) => ({ ...file, earlier: undefined }))];
  return Promise.all(
    files.map(async ({ name, path, earlier }) => ({
      name,
      locks: earlier ? await locksOf(path, earlier) : [],
      sql: await readSqlFile(path),
    })),
  );
}
