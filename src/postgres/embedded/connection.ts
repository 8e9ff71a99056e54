import {
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Client } from 'pg';
import { findPassword, superuser } from './cluster.ts';
import type { Account } from './service-account.ts';

export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
}

// 104 bytes on macOS, 108 on Linux, with the terminating zero.
const longestSocketPath = 103;
const socketName = '.s.PGSQL.5432';
const temporaryPrefix = join(tmpdir(), 'latchkey-');

/** Whether the path is that of a socket directory outside DATA_DIR, used when a path in DATA_DIR would be too long. */
export function isTemporary(path: string): boolean {
  return path.startsWith(temporaryPrefix) && path === join(tmpdir(), basename(path));
}

function makeSocketDirectory(home: string, account: Account): string {
  const inHome = join(home, 'run');
  // also removes a stale socket lock, whose process id may belong to another process by now
  rmSync(inHome, { recursive: true, force: true });
  const fits = Buffer.byteLength(join(inHome, socketName)) <= longestSocketPath;
  if (fits) mkdirSync(inHome, { mode: 0o700 });
  const directory = fits ? inHome : mkdtempSync(temporaryPrefix);
  if (account.ids) lchownSync(directory, account.ids.uid, account.ids.gid);
  return directory;
}

/** Reads the pid file of Postgres, which contains the port on line four and the directory of the socket on line five. */
function readPidFile(cluster: string): { port: number; socketDirectory: string } | undefined {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return undefined;
  const [, , , port, socketDirectory = ''] = readFileSync(pidFile, 'utf8').split('\n');
  return { port: Number(port), socketDirectory };
}

export const findSocketDirectory = (cluster: string) => readPidFile(cluster)?.socketDirectory ?? '';

/** Removes a socket and its lock, nothing else: the path was read from a file, which another user may have changed. */
export function removeTemporary(directory: string): void {
  const isDirectory = () => lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isTemporary(directory) || !isDirectory()) return;
  for (const name of [socketName, `${socketName}.lock`]) rmSync(join(directory, name), { force: true });
  if (readdirSync(directory).length === 0) rmdirSync(directory);
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

const identity = { user: superuser, database: 'postgres' };

export async function chooseConnection(home: string, account: Account): Promise<Connection> {
  if (process.platform !== 'win32') return { host: makeSocketDirectory(home, account), port: 5432, ...identity };
  return loopback(home, await findFreePort());
}

function loopback(home: string, port: number): Connection {
  const password = findPassword(home);
  return { host: '127.0.0.1', port, ...identity, ...(password ? { password } : {}) };
}

/** Returns the error of an attempt to connect; undefined if it succeeds. */
export async function findConnectionError(connection: Connection): Promise<(Error & { code?: string }) | undefined> {
  // pg would read PGSSLMODE if `ssl` were missing
  const client = new Client({ ...connection, ssl: false, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  return client.connect().then(
    () => client.end().then(() => undefined),
    (error: Error) => error,
  );
}

/** Returns the address of the server that runs on this cluster, if one answers. */
export async function findConnection(cluster: string): Promise<Connection | undefined> {
  const listening = readPidFile(cluster);
  if (!listening?.port) return undefined;
  const { port, socketDirectory } = listening;
  const connection = socketDirectory ? { host: socketDirectory, port, ...identity } : loopback(dirname(cluster), port);
  return (await findConnectionError(connection)) ? undefined : connection;
}
