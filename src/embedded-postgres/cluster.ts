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
import { type Account, lastLine } from './account.ts';
import { type Binaries, runToEnd } from './binaries.ts';

export const superuser = 'latchkey';

const passwordFile = (home: string) => join(home, 'password');

/** Only TCP, which any local user can reach, needs a password; the socket lies in a directory that is ours alone. */
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

interface Creation {
  readonly home: string;
  readonly binaries: Binaries;
  readonly account: Account;
  readonly durable: boolean;
  readonly lock: number | undefined;
}

/** Under a temporary name and then renamed: the cluster is there as a whole or not at all, whenever we are killed. */
export async function createCluster(cluster: string, creation: Creation): Promise<void> {
  const { home, binaries, account, lock } = creation;
  const staging = mkdtempSync(`${cluster}.new-`);
  if (account.ids) lchownSync(staging, account.ids.uid, account.ids.gid);
  // The built-in C.UTF-8 sorts by code point and knows upper and lower case, alike on every platform.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const command = [binaries.initdb, '-D', staging, '-U', superuser, '-E', 'UTF8', '--no-instructions', ...locale];
  const durability = creation.durable ? [] : ['--no-sync'];
  const { code, output } = await runToEnd([...account.prefix, ...command, ...authentication(home), ...durability], {
    env: binaries.env,
    cwd: home,
    lock,
    ...account.ids,
  });
  if (code !== 0) {
    rmSync(staging, { recursive: true, force: true });
    const reason = findComplaint(output) ?? lastLine(output);
    const full = /no space left|free disk space/i.test(output) ? { code: 'ENOSPC' } : {};
    throw Object.assign(new Error(`The database could not be created in ${cluster}: ${reason}.`), full);
  }
  renameSync(staging, cluster);
  // A rename lasts through a power failure only when the directory that holds the name has been flushed.
  if (creation.durable) for (const directory of [home, dirname(home)]) flushDirectory(directory);
}

/** What a start left that was killed in the middle of initdb. Call it under the lock only. */
export function removeLeftovers(cluster: string): void {
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

const complaint = /^.*?\b(FATAL|PANIC|error|fatal):\s*/;

/** The line of Postgres's log that tells the reason, without its time stamp. */
export function findComplaint(log: string): string | undefined {
  // 'starting up' is only what our own impatient connections were told.
  const found = log.split('\n').findLast((line) => complaint.test(line) && !/starting up|not yet acc/.test(line));
  return found?.replace(complaint, '').replace(/\.$/, '');
}

/** Given at each start rather than written into the cluster, so that a new Latchkey brings its own. */
export function settings(durable: boolean): Record<string, string> {
  return {
    // the suite has many pools at once, a server has one
    max_connections: durable ? '60' : '400',
    shared_buffers: '128MB',
    huge_pages: 'off',
    wal_buffers: '4MB',
    max_wal_size: '512MB',
    checkpoint_timeout: '15min',
    // One machine, short statements: no replication, no parallel plans, no compiled plans, no helper processes.
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
    // The application logs failing statements; here they would only make the file grow.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    fsync: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
  };
}
