import { spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Two locks of the kernel, which unlike pid files also work across containers. `latchkey.lock` is held by this process and
 * released when it exits. `postgres.lock` is inherited by Postgres and all its processes, and released when the last exits.
 * If the first is free and the second is not, an orphaned Postgres is running: the Latchkey that started it was killed.
 */
export interface Locks {
  /** a file descriptor for child processes; undefined if the platform has no such lock */
  readonly postgres: number | undefined;
  release(): void;
}

type LockAttempt = { fd: number } | 'taken' | 'unsupported';

const O_EXLOCK_DARWIN = 0x20;

function tryLock(path: string): LockAttempt {
  // O_NOFOLLOW: root may be working in a directory that another user owns
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
  // flock(2) locks the open file description, which this process shares with the command: it outlives the command
  const { status } = spawnSync('flock', ['--nonblock', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
  if (status === 0) return { fd };
  closeSync(fd);
  return status === 1 ? 'taken' : 'unsupported';
}

const fdOf = (attempt: LockAttempt) => (typeof attempt === 'object' ? attempt.fd : undefined);

async function waitForLock(path: string, milliseconds: number): Promise<LockAttempt> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const attempt = tryLock(path);
    if (attempt !== 'taken' || Date.now() > deadline) return attempt;
    await sleep(50);
  }
}

/** Stops an orphaned Postgres and takes its lock. */
async function takeOver(path: string, cluster: string, announce: (message: string) => void): Promise<LockAttempt> {
  const orphan = findPostmaster(cluster);
  if (orphan) {
    announce(`Stopping the database server (pid ${orphan}) of a Latchkey that was killed.`);
    process.kill(orphan, 'SIGINT');
  }
  // Once the postmaster is gone, its other processes (sessions, an initdb) exit by themselves.
  const attempt = await waitForLock(path, 10_000);
  if (attempt !== 'taken' || !orphan || findPostmaster(cluster) !== orphan) return attempt;
  process.kill(orphan, 'SIGQUIT');
  return waitForLock(path, 5000);
}

function holderOf(path: string): string {
  return readFileSync(path, 'utf8').trim() || 'a process that is just starting';
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
  let postgres: LockAttempt = 'unsupported';
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
    refuseRunningServer(postgres, cluster);
    return { postgres: fdOf(postgres), release };
  } catch (error) {
    release();
    throw error;
  }
}

function refuseRunningServer(attempt: LockAttempt, cluster: string): void {
  const pid = findPostmaster(cluster);
  if (pid || attempt === 'taken') {
    throw new Error(
      `A Postgres server (${pid ? `pid ${pid}` : 'in another container'}) still runs on ${cluster}, and Latchkey cannot ` +
        `tell whether it is in use; stop it (${pid ? `kill -INT ${pid}` : 'stop that container'}) and start again.`,
    );
  }
  // We hold the lock, so no Postgres runs here. After a restart of a container the recorded pid often belongs to another
  // process, which Postgres would take for a running server.
  const stale = typeof attempt === 'object' ? readPid(cluster) : undefined;
  if (stale && isAlive(stale)) rmSync(join(cluster, 'postmaster.pid'), { force: true });
}

function readPid(cluster: string): number | undefined {
  const pidFile = join(cluster, 'postmaster.pid');
  const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : 0;
  return pid > 0 ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Returns the pid in postmaster.pid, if that process is alive and its working directory shows that it is the Postgres of this cluster. */
export function findPostmaster(cluster: string): number | undefined {
  const pid = readPid(cluster);
  if (!pid || pid === process.pid) return undefined;
  try {
    if (process.platform === 'linux') {
      const [there, here] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)];
      return there.dev === here.dev && there.ino === here.ino ? pid : undefined;
    }
    if (process.platform === 'win32') return isAlive(pid) ? pid : undefined;
    const { stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return stdout.includes(cluster) ? pid : undefined;
  } catch {
    return undefined;
  }
}
