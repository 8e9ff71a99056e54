import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import {
  connectDatabase,
  type DatabaseServer,
  describeFiles,
  listPending,
  migrateDatabase,
} from '../operations/database-server.ts';
import type { Announce } from '../operations/log.ts';
import type { Database } from '../postgres/database.ts';
import type { Shell } from './shell.ts';

/** Progress goes to standard error: standard output is for results. */
export function announceIn(shell: Shell): Announce {
  return (message) => void shell.process.stderr.write(`${message}\n`);
}

/** Whether there is a database; the embedded one may not exist yet, or be elsewhere. */
export const hasDatabase = ({ database_url, data_dir }: Config) =>
  database_url !== undefined || existsSync(join(data_dir, 'postgres', 'data'));

/**
 * Refuses a missing embedded database: a command with the DATA_DIR of another directory would be told that nothing is registered, and
 * leave a database behind.
 */
function requireDatabase(config: Config): void {
  if (hasDatabase(config)) return;
  throw new Error(
    `There is no database in DATA_DIR ${resolve(config.data_dir)}: set DATA_DIR or DATABASE_URL to what the server has. latchkey start and latchkey migrate make a new one.`,
  );
}

interface Use {
  /** whether the embedded database is made if there is none */
  creates?: boolean;
  timeoutSeconds?: number;
}

/** Runs a command on the database server; starts the embedded one, and stops it afterwards, unless it is running. */
export function withDatabaseServer<T>(
  shell: Shell,
  run: (server: DatabaseServer, signal: AbortSignal) => Promise<T>,
  { creates = false, timeoutSeconds = 30 }: Use = {},
): Promise<T> {
  if (!creates) requireDatabase(shell.config());
  return interruptible(shell, async (signal) => {
    const announce = announceIn(shell);
    const server = await connectDatabase(shell.config(), { announce, isCommand: true, timeoutSeconds, signal });
    const running = run(server, signal);
    try {
      // a statement on another server may hang
      return await Promise.race([running, abortion(signal)]);
    } finally {
      await server.close();
      // the command may have something to clean up, too
      if (signal.aborted) await Promise.race([running.catch(() => {}), pause(1000)]);
    }
  });
}

/** Gives a command a database that has the current schema. */
export function withSchema<T>(
  shell: Shell,
  run: (database: Database, server: DatabaseServer) => Promise<T>,
  use: Use = {},
): Promise<T> {
  return withDatabaseServer(
    shell,
    async (server) => {
      if (shell.config().database_url === undefined) await migrateDatabase(server.address, announceIn(shell));
      const pending = await listPending(server.address);
      if (pending.length > 0) {
        throw new Error(`Run latchkey migrate first: the database lacks ${describeFiles(pending)}.`);
      }
      return run(server.database, server);
    },
    use,
  );
}

/**
 * Gives a command that registers something a database with the current schema, and makes the embedded database if there is none.
 */
export const withNewSchema: typeof withSchema = (shell, run) => withSchema(shell, run, { creates: true });

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The work was ended by a signal. */
export class Interrupted extends Error {}

/**
 * Runs work that must clean up whenever it ends, since an embedded server would go on without it. A signal, from the first
 * moment on, aborts `signal`, and the work rejects as Interrupted when it has ended. Signals after that are ignored until the
 * process exits: under npm Ctrl-C arrives twice.
 */
export async function interruptible<T>(shell: Shell, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  for (const name of signals) shell.process.on(name, abort);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? new Interrupted() : error;
  } finally {
    if (!controller.signal.aborted) for (const name of signals) shell.process.off(name, abort);
  }
}

/** Rejects when the signal is aborted; never resolves. */
function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
