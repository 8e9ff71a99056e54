import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { findBinaries } from './binaries.ts';
import { checkVersion, createCluster, removeIncompleteClusters } from './cluster.ts';
import {
  type Connection,
  chooseConnection,
  findConnection,
  findSocketDirectory,
  isTemporary,
  removeTemporary,
} from './connection.ts';
import { findHome, openHome } from './data-directory.ts';
import { type Locks, lockDataDir } from './lock.ts';
import { launch, type Server, waitUntilReady } from './server.ts';
import { chooseAccount } from './service-account.ts';

export interface EmbeddedPostgres {
  /** options of pg.Pool; `host` is the directory of the socket, on Windows the loopback address */
  readonly connection: Connection;
  /** resolves with a message when the server exits unexpectedly */
  readonly exited: Promise<string>;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** false, for tests: faster, but a crash may lose data */
  readonly durable: boolean;
  readonly announce: (message: string) => void;
  /** aborted when the start is given up: then it stops what it has started, and throws */
  readonly signal?: AbortSignal | undefined;
}

async function start(locks: Locks, cluster: string, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { durable, announce, signal } = options;
  const home = dirname(cluster);
  const lock = locks.postgres;
  const binaries = findBinaries(home);
  const account = await chooseAccount(home, cluster, binaries);
  if (lock !== undefined) removeIncompleteClusters(cluster);
  if (!existsSync(cluster)) {
    announce(`Creating the database in ${cluster}.`);
    await createCluster(cluster, { home, binaries, account, durable, lock, signal });
  }
  checkVersion(cluster, binaries.major);
  const connection = await chooseConnection(home, account);
  signal?.throwIfAborted();
  const server = launch({ home, cluster, binaries, account, durable, connection, lock });
  try {
    await waitUntilReady(server, connection, { announce, signal });
  } catch (error) {
    await server.stop();
    removeTemporary(connection.host);
    throw error;
  }
  return superviseServer(server, connection, locks);
}

/** Releases the locks and removes the socket directory when the server exits, whether it was stopped or not. */
function superviseServer(server: Server, connection: Connection, locks: Locks): EmbeddedPostgres {
  let stopping: Promise<void> | undefined;
  const cleanedUp = server.exited.then((reason) => {
    removeTemporary(connection.host);
    locks.release();
    return reason;
  });
  const exited = new Promise<string>((resolve) => {
    void cleanedUp.then((reason) => stopping ?? resolve(`The database server (pid ${server.pid}) ${reason}.`));
  });
  const stop = () => {
    stopping ??= server
      .stop()
      .then(() => cleanedUp)
      .then(() => undefined);
    return stopping;
  };
  return { connection, exited, pid: server.pid, stop };
}

function isFull(dataDir: string): boolean {
  if (!existsSync(dataDir)) return false;
  const { bavail, bsize } = statfsSync(dataDir);
  return bavail * bsize < 2 ** 20;
}

function explainError(error: unknown, dataDir: string): Error {
  const { code = '', path } = error as NodeJS.ErrnoException;
  if (path !== undefined && isTemporary(path)) {
    return new Error(
      `DATA_DIR ${dataDir} is too long for a socket in it, and ${tmpdir()} has no room for one ` +
        `(${code === 'ENOSPC' ? 'it is full' : code}); choose a shorter DATA_DIR, or set TMPDIR to a directory that can be written.`,
    );
  }
  // on a full disk Postgres fails in many ways, often without a line in its log
  if (code === 'ENOSPC' || isFull(dataDir)) {
    return new Error(`The disk that holds DATA_DIR ${dataDir} is full; free some space and start again.`);
  }
  if (!/^E[A-Z]+$/.test(code)) return error as Error;
  return new Error(
    `DATA_DIR ${dataDir} cannot be used (${code} at ${path ?? dataDir}); let the user that runs Latchkey own it, ` +
      'set DATA_DIR to a directory that can be written, or set DATABASE_URL to a Postgres server.',
  );
}

/** Starts the Postgres of the npm package on a data directory that only this process may use. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  let locks: Locks | undefined;
  try {
    const cluster = join(openHome(dataDir), 'data');
    const previousSocketDirectory = findSocketDirectory(cluster);
    locks = await lockDataDir(dataDir, cluster, options.announce);
    removeTemporary(previousSocketDirectory);
    return await start(locks, cluster, options);
  } catch (error) {
    locks?.release();
    options.signal?.throwIfAborted();
    throw explainError(error, dataDir);
  }
}

/** Returns the address of the server that another process runs on this data directory; undefined if none answers. */
export async function findRunningPostgres(dataDir: string): Promise<Connection | undefined> {
  const path = resolve(dataDir);
  return existsSync(path) ? findConnection(join(findHome(path), 'data')) : undefined;
}
