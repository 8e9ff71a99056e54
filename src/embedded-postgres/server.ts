import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, fchownSync, openSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { findComplaint, settings } from './cluster.ts';
import { type Connection, findTrouble } from './connection.ts';

export interface Server {
  readonly pid: number;
  /** why it ended, asked to or not */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

interface Launch {
  readonly home: string;
  readonly cluster: string;
  readonly binaries: Binaries;
  readonly account: Account;
  readonly durable: boolean;
  readonly connection: Connection;
  readonly lock: number | undefined;
}

// One predecessor is kept: the last words of a server that crashed.
function openLog(path: string, account: Account): number {
  if (existsSync(path)) renameSync(path, `${path}.1`);
  const fd = openSync(path, 'ax', 0o600);
  if (account.ids) fchownSync(fd, account.ids.uid, account.ids.gid);
  return fd;
}

function whereToListen({ host, port }: Connection): Record<string, string> {
  if (process.platform === 'win32') return { listen_addresses: host, port: String(port), unix_socket_directories: '' };
  // The setting is a list: quotes keep a comma in the path from splitting it.
  const quoted = `"${host.replaceAll('"', '""')}"`;
  return { listen_addresses: '', port: String(port), unix_socket_directories: quoted, unix_socket_permissions: '0700' };
}

function signal(child: ChildProcess, name: 'SIGINT' | 'SIGQUIT' | 'SIGKILL', binaries: Binaries): void {
  // On Windows Node can only kill; Postgres listens to its own kind of signal there.
  if (process.platform !== 'win32' || name === 'SIGKILL') child.kill(name);
  else spawnSync(binaries.pgCtl, ['kill', name.slice(3), String(child.pid)]);
}

export function launch(order: Launch): Server {
  const { home, cluster, binaries, account, lock } = order;
  const options = { ...settings(order.durable), ...whereToListen(order.connection) };
  const flags = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command = '', ...args] = [...account.prefix, binaries.postgres, '-D', cluster, ...flags];
  const logFile = join(home, 'server.log');
  const log = openLog(logFile, account);
  // A process group of its own: Ctrl-C in the terminal reaches us, and we stop Postgres after the last request.
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
  let over = false;
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      over = true;
      // The log is gone when somebody removed DATA_DIR under the running server, which is one way for it to end.
      const words = findComplaint(existsSync(logFile) ? readFileSync(logFile, 'utf8') : '');
      resolve(words ? `${how} after it said: ${words}` : `${how} (its log is ${logFile})`);
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, name) => end(name ? `ended by ${name}` : `ended with status ${code}`));
  });
  const stop = async () => {
    for (const [name, patience] of [
      ['SIGINT', 8000],
      ['SIGQUIT', 2000],
      ['SIGKILL', 2000],
    ] as const) {
      if (over) return;
      signal(child, name, binaries);
      await endsWithin(patience, ended);
    }
  };
  return { pid: child.pid ?? 0, ended, stop };
}

async function endsWithin(milliseconds: number, ended: Promise<string>): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(milliseconds, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([ended.then(() => true), late]);
  timer.abort();
  return inTime;
}

const longestRecovery = 180_000;

/** Asks Postgres itself: its log may be worded anyhow, but a connection that is accepted can be used. */
export async function waitUntilReady(server: Server, connection: Connection, announce: (message: string) => void) {
  const start = Date.now();
  let patience = 3000;
  for (;;) {
    const trouble = await findTrouble(connection);
    if (!trouble) return;
    // Class 28 and 3D: it is up and does not know us, which waiting does not change.
    if (/^(28|3D)/.test(trouble.code ?? ''))
      throw new Error(`The database does not let Latchkey in: ${trouble.message}.`);
    if (await endsWithin(15, server.ended)) throw new Error(`The database server ${await server.ended}.`);
    if (Date.now() - start < patience) continue;
    if (patience === longestRecovery) throw new Error(`The database is not ready after minutes: ${trouble.message}.`);
    announce('The database is still recovering from a crash; this can take a minute.');
    patience = longestRecovery;
  }
}
