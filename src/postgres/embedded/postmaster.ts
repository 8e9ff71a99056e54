import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export function readPid(cluster: string): number | undefined {
  const pidFile = join(cluster, 'postmaster.pid');
  const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : 0;
  return pid > 0 ? pid : undefined;
}

export function isAlive(pid: number): boolean {
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
