import { spawnSync } from 'node:child_process';
import { closeSync, constants, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostmaster, isAlive, readPid } from './postmaster.ts';

/**
 * Two locks, both held by the kernel, so neither process ids nor containers can confuse them. `latchkey.lock` is held
 * by this process alone and ends with it. `postgres.lock` is inherited by Postgres and every process it starts, and
 * ends with the last of them. Who gets the first and not the second looks at an orphan: a Postgres whose Latchkey died.
 */
export interface Locks {
  /** handed to the children; undefined where the platform has no such lock */
  readonly postgres: number | undefined;
  release(): void;
}

type Attempt = { fd: number } | 'taken' | 'unsupported';

const O_EXLOCK_DARWIN = 0x20;

function tryLock(path: string): Attempt {
  // Not through a symbolic link: root may be at work in a directory that belongs to somebody else.
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
  if (process.platform === 'darwin') {
    try {
      return { fd: openSync(path, flags | O_EXLOCK_DARWIN | constants.O_NONBLOCK, 0o600) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 'taken';
      throw error;
    }
  }
  if (process.platform !== 'linux') return 'unsupported';
  const fd = openSync(path, flags, 0o600);
  // flock(2) belongs to the open file, which this process shares with the command: it ends, the lock stays.
  const { status } = spawnSync('flock', ['--nonblock', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
  if (status === 0) return { fd };
  closeSync(fd);
  return status === 1 ? 'taken' : 'unsupported';
}

const fdOf = (attempt: Attempt) => (typeof attempt === 'object' ? attempt.fd : undefined);

async function waitForLock(path: string, milliseconds: number): Promise<Attempt> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const attempt = tryLock(path);
    if (attempt !== 'taken' || Date.now() > deadline) return attempt;
    await sleep(50);
  }
}

async function takeOver(path: string, cluster: string, announce: (message: string) => void): Promise<Attempt> {
  const orphan = findPostmaster(cluster);
  if (orphan) {
    announce(`Ending the database server (pid ${orphan}) that a Latchkey left behind when it was killed.`);
    process.kill(orphan, 'SIGINT');
  }
  // Without a postmaster the rest (sessions, an initdb) notices and ends by itself.
  const attempt = await waitForLock(path, 10_000);
  if (attempt !== 'taken' || !orphan || findPostmaster(cluster) !== orphan) return attempt;
  process.kill(orphan, 'SIGQUIT');
  return waitForLock(path, 5000);
}

function holderOf(path: string): string {
  return readFileSync(path, 'utf8').trim() || 'a process that has not said its name yet';
}

export async function lockDataDir(
  dataDir: string,
  cluster: string,
  announce: (message: string) => void,
): Promise<Locks> {
  const home = dirname(cluster);
  const own = join(home, 'latchkey.lock');
  const latchkey = tryLock(own);
  if (latchkey === 'taken') {
    throw new Error(
      `DATA_DIR ${dataDir} is in use by another Latchkey (${holderOf(own)}); ` +
        'stop that one first, or give this one a DATA_DIR of its own.',
    );
  }
  const path = join(home, 'postgres.lock');
  let postgres: Attempt = 'unsupported';
  const release = () => {
    for (const fd of [fdOf(latchkey), fdOf(postgres)]) if (fd !== undefined) closeSync(fd);
  };
  try {
    if (typeof latchkey === 'object') {
      ftruncateSync(latchkey.fd);
      writeSync(latchkey.fd, `pid ${process.pid} on ${hostname()}\n`, 0);
      postgres = tryLock(path);
      if (postgres === 'taken') postgres = await takeOver(path, cluster, announce);
    }
    refuseStranger(postgres, cluster);
    return { postgres: fdOf(postgres), release };
  } catch (error) {
    release();
    throw error;
  }
}

function refuseStranger(attempt: Attempt, cluster: string): void {
  const pid = findPostmaster(cluster);
  if (pid || attempt === 'taken') {
    throw new Error(
      `A Postgres server (${pid ? `pid ${pid}` : 'in another container'}) still runs on ${cluster} and Latchkey cannot ` +
        `prove that nobody uses it; end it (${pid ? `kill -INT ${pid}` : 'stop that container'}) and start again.`,
    );
  }
  // The lock proves that no Postgres of ours lives. After a container's restart the recorded pid is often that of some
  // other process, which Postgres would mistake for a server and refuse to start.
  const stale = typeof attempt === 'object' ? readPid(cluster) : undefined;
  if (stale && isAlive(stale)) rmSync(join(cluster, 'postmaster.pid'), { force: true });
}
