import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, fchownSync, openSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { findLoggedError, settings } from './cluster.ts';
import { type Connection, findConnectionError } from './connection.ts';
import type { Account } from './service-account.ts';

export interface Server {
  readonly pid: number;
  /** resolves with the reason, also after stop() */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

interface LaunchOptions {
  readonly home: string;
  readonly cluster: string;
  readonly binaries: Binaries;
  readonly account: Account;
  readonly durable: boolean;
  readonly connection: Connection;
  readonly lock: number | undefined;
}

// keeps the log of the previous start, which shows why a server crashed
function openLog(path: string, account: Account): number {
  if (existsSync(path)) renameSync(path, `${path}.1`);
  const fd = openSync(path, 'ax', 0o600);
  if (account.ids) fchownSync(fd, account.ids.uid, account.ids.gid);
  return fd;
}

function listenSettings({ host, port }: Connection): Record<string, string> {
  if (process.platform === 'win32') return { listen_addresses: host, port: String(port), unix_socket_directories: '' };
  // the setting is a list: without quotes, a comma in the path would separate two entries
  const quoted = `"${host.replaceAll('"', '""')}"`;
  return { listen_addresses: '', port: String(port), unix_socket_directories: quoted, unix_socket_permissions: '0700' };
}

function signal(child: ChildProcess, name: 'SIGINT' | 'SIGQUIT' | 'SIGKILL', binaries: Binaries): void {
  // on Windows, Node can only kill; pg_ctl sends the signals that Postgres emulates there
  if (process.platform !== 'win32' || name === 'SIGKILL') child.kill(name);
  else spawnSync(binaries.pgCtl, ['kill', name.slice(3), String(child.pid)]);
}

export function launch(options: LaunchOptions): Server {
  const { home, cluster, binaries, account, lock } = options;
  const parameters = { ...settings(options.durable), ...listenSettings(options.connection) };
  const flags = Object.entries(parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command = '', ...args] = [...account.prefix, binaries.postgres, '-D', cluster, ...flags];
  const logFile = join(home, 'server.log');
  const log = openLog(logFile, account);
  // In a process group of its own, Postgres does not receive Ctrl-C: it is stopped after the last request.
  const stdio = ['ignore', log, log, lock ?? 'ignore'] as const;
  const child = spawn(command, args, {
    detached: true,
    windowsHide: true,
    cwd: home,
    env: binaries.env,
    ...account.ids,
    stdio: [...stdio],
  });
  closeSync(log);
  let hasExited = false;
  // ends the server when this process ends without having stopped it, as at a second signal
  const endIt = () => signal(child, 'SIGINT', binaries);
  process.once('exit', endIt);
  const exited = new Promise<string>((resolve) => {
    const resolveWith = (how: string) => {
      hasExited = true;
      process.off('exit', endIt);
      // the log is missing if DATA_DIR was removed, which ends the server
      const loggedError = findLoggedError(existsSync(logFile) ? readFileSync(logFile, 'utf8') : '');
      resolve(loggedError ? `${how}, its last error: ${loggedError}` : `${how} (its log is ${logFile})`);
    };
    child.once('error', (error) => resolveWith(error.message));
    child.once('exit', (code, name) => resolveWith(name ? `ended by ${name}` : `ended with status ${code}`));
  });
  const stop = async () => {
    for (const [name, patience] of [
      ['SIGINT', 8000],
      ['SIGQUIT', 2000],
      ['SIGKILL', 2000],
    ] as const) {
      if (hasExited) return;
      signal(child, name, binaries);
      await exitsWithin(patience, exited);
    }
  };
  return { pid: child.pid ?? 0, exited, stop };
}

async function exitsWithin(milliseconds: number, exited: Promise<string>): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(milliseconds, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([exited.then(() => true), late]);
  timer.abort();
  return inTime;
}

interface WaitOptions {
  readonly announce: (message: string) => void;
  readonly signal: AbortSignal | undefined;
}

const [startTimeoutMs, recoveryTimeoutMs] = [3000, 180_000];

/** Tries to connect until it succeeds or the server exits. After a crash Postgres recovers first, which takes longer. */
export async function waitUntilReady(server: Server, connection: Connection, { announce, signal }: WaitOptions) {
  const start = Date.now();
  let timeout = startTimeoutMs;
  for (;;) {
    const error = await findConnectionError(connection);
    signal?.throwIfAborted();
    if (!error) return;
    // classes 28 and 3D: it is ready, but refuses the user or the database
    if (/^(28|3D)/.test(error.code ?? '')) throw new Error(`The database refuses the connection: ${error.message}.`);
    if (await exitsWithin(15, server.exited)) throw new Error(`The database server ${await server.exited}.`);
    if (Date.now() - start < timeout) continue;
    if (timeout === recoveryTimeoutMs) throw new Error(`The database is not ready after minutes: ${error.message}.`);
    announce('The database is recovering from a crash; this can take a minute.');
    timeout = recoveryTimeoutMs;
  }
}
