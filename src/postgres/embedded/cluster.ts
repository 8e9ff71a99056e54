import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Binaries, runCommand } from './binaries.ts';
import { type Account, lastLine } from './service-account.ts';

export const superuser = 'latchkey';

const passwordFile = (home: string) => join(home, 'password');

/** Finds the password, which only connections by TCP (on Windows) need: the directory of the socket is accessible to its owner alone. */
export function findPassword(home: string): string | undefined {
  return existsSync(passwordFile(home)) ? readFileSync(passwordFile(home), 'utf8').trim() : undefined;
}

function authentication(home: string): string[] {
  if (process.platform !== 'win32') return ['--auth=trust'];
  writeFileSync(passwordFile(home), randomBytes(24).toString('base64url'), { mode: 0o600 });
  return ['--auth=scram-sha-256', `--pwfile=${passwordFile(home)}`];
}

function flushDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(path, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

interface ClusterOptions {
  readonly home: string;
  readonly binaries: Binaries;
  readonly account: Account;
  readonly durable: boolean;
  readonly lock: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Creates a cluster under a temporary name and renames it, so that a killed process never leaves an incomplete cluster. */
export async function createCluster(cluster: string, options: ClusterOptions): Promise<void> {
  const { home, binaries, account, lock, signal } = options;
  const staging = mkdtempSync(`${cluster}.new-`);
  if (account.ids) lchownSync(staging, account.ids.uid, account.ids.gid);
  // The built-in C.UTF-8 sorts by code point and changes letter case in the same way on every platform.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const command = [binaries.initdb, '-D', staging, '-U', superuser, '-E', 'UTF8', '--no-instructions', ...locale];
  const durability = options.durable ? [] : ['--no-sync'];
  const { code, output } = await runCommand([...account.prefix, ...command, ...authentication(home), ...durability], {
    env: binaries.env,
    cwd: home,
    lock,
    ...(signal && { signal }),
    ...account.ids,
  });
  if (code !== 0) {
    rmSync(staging, { recursive: true, force: true });
    const reason = findLoggedError(output) ?? lastLine(output);
    const full = /no space left|free disk space/i.test(output) ? { code: 'ENOSPC' } : {};
    throw Object.assign(new Error(`The database could not be created in ${cluster}: ${reason}.`), full);
  }
  renameSync(staging, cluster);
  // A rename survives a power failure only after its directory was flushed.
  if (options.durable) for (const directory of [home, dirname(home)]) flushDirectory(directory);
}

/** Removes what a killed initdb left. Call it under the lock only. */
export function removeIncompleteClusters(cluster: string): void {
  const home = dirname(cluster);
  for (const entry of readdirSync(home)) {
    if (entry.startsWith('data.new-')) rmSync(join(home, entry), { recursive: true, force: true });
  }
}

export function checkVersion(cluster: string, major: string): void {
  const file = join(cluster, 'PG_VERSION');
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
  if (found === major) return;
  throw new Error(
    found
      ? `The database in ${cluster} was made by Postgres ${found} and this is Postgres ${major}; ` +
          'start the Latchkey that made it and move the data with pg_dump, or choose another DATA_DIR.'
      : `${cluster} is there but holds no Postgres database; move it away or choose another DATA_DIR.`,
  );
}

const errorPrefix = /^.*?\b(FATAL|PANIC|error|fatal):\s*/;

/** The last error in a log of Postgres, without its time stamp. */
export function findLoggedError(log: string): string | undefined {
  // leaves out errors of our own connections from before the server was ready
  const found = log.split('\n').findLast((line) => errorPrefix.test(line) && !/starting up|not yet acc/.test(line));
  return found?.replace(errorPrefix, '').replace(/\.$/, '');
}

/** The settings that are passed at each start, not written into the cluster, so that a new version of Latchkey can change them. */
export function settings(durable: boolean): Record<string, string> {
  return {
    // the tests open many pools at once
    max_connections: durable ? '80' : '400',
    shared_buffers: '128MB',
    huge_pages: 'off',
    wal_buffers: '4MB',
    max_wal_size: '512MB',
    checkpoint_timeout: '15min',
    // One machine and short statements: no replication, no parallel plans, no JIT, no additional processes.
    io_method: 'sync',
    max_wal_senders: '0',
    max_replication_slots: '0',
    max_logical_replication_workers: '0',
    max_worker_processes: '0',
    max_parallel_workers: '0',
    max_parallel_workers_per_gather: '0',
    autovacuum_worker_slots: '2',
    autovacuum_max_workers: '2',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // Latchkey logs failing statements itself.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    fsync: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
  };
}
