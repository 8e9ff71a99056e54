import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../support/free-port.ts';
import { childrenOf, tell } from './cluster.ts';
import { documented } from './documented.ts';

const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
/** The programs of a server: a package of the client has such a directory, too. */
const postgresBin = versions
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .find((bin) => existsSync(join(bin, 'initdb')));
const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0;

/** As the option of a test: why it cannot run here, or false. */
export const withoutPatroni =
  postgresBin !== undefined && isInstalled('patroni') && isInstalled('etcd')
    ? false
    : 'Patroni, etcd or Postgres is not installed';

/** A machine with Patroni and the Postgres that it manages. */
export interface Machine {
  readonly port: number;
  /** the port of Patroni's REST interface */
  readonly rest: number;
  ask(method: string, path: string, body?: object): Promise<number>;
  /** Asks until the answer is 200. */
  answers(path: string): Promise<void>;
  /** Power failure: ends all of its processes at once. */
  lose(): void;
}

/** Two machines as src/operations/surviving.md configures them, and the etcd in which they agree who is the primary. */
export async function startPatroni(): Promise<readonly [Machine, Machine]> {
  const home = mkdtempSync(join(tmpdir(), 'latchkey-patroni-'));
  const processes: ChildProcess[] = [];
  // Postgres refuses to run as root
  const ids = process.getuid?.() === 0 ? idsOf('postgres') : {};
  const run = (command: string, args: string[], directory = home) => {
    const log = openSync(join(home, `${basename(directory)}.log`), 'a');
    // Patroni writes the passwords of Postgres into its home directory
    const env = { ...process.env, HOME: directory };
    const child = spawn(command, args, { cwd: directory, env, ...ids, stdio: ['ignore', log, log] });
    processes.push(child);
    return child;
  };
  if (ids.uid !== undefined) chownSync(home, ids.uid, ids.gid ?? ids.uid);
  const [client, peer] = [await findFreePort(), await findFreePort()].map((port) => `http://127.0.0.1:${port}`);
  run('etcd', [
    ...['--data-dir', join(home, 'etcd'), '--listen-client-urls', `${client}`, '--advertise-client-urls', `${client}`],
    ...[
      '--listen-peer-urls',
      `${peer}`,
      '--initial-advertise-peer-urls',
      `${peer}`,
      '--initial-cluster',
      `default=${peer}`,
    ],
  ]);
  const start = async (name: string): Promise<Machine> => {
    const [port, rest] = [await findFreePort(), await findFreePort()];
    const directory = join(home, name);
    mkdirSync(directory);
    const file = join(directory, 'patroni.yml');
    const changes = {
      'name: db1': `name: ${name}`,
      '10.0.0.11:8008': `127.0.0.1:${rest}`,
      '10.0.0.11:5432': `127.0.0.1:${port}`,
      '10.0.0.21:2379,10.0.0.22:2379,10.0.0.23:2379': `${client}`.replace('http://', ''),
      '10.0.0.0/24': '127.0.0.1/32',
      '/var/lib/postgresql/latchkey': join(directory, 'data'),
      '/usr/lib/postgresql/15/bin': `${postgresBin}`,
      '/var/run/postgresql': directory,
    };
    writeFileSync(file, documented('patroni.yml', changes));
    for (const path of [directory, file]) if (ids.uid !== undefined) chownSync(path, ids.uid, ids.gid ?? ids.uid);
    const patroni = run('patroni', [file], directory);
    const lose = () => {
      patroni.kill('SIGKILL');
      const pidFile = join(directory, 'data', 'postmaster.pid');
      const pid = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : undefined;
      if (pid) for (const one of [pid, ...childrenOf(pid)]) tell(one, 'SIGKILL');
    };
    const ask = (method: string, path: string, body?: object) =>
      fetch(`http://127.0.0.1:${rest}${path}`, { method, ...(body && { body: JSON.stringify(body) }) }).then(
        ({ status }) => status,
        () => 0,
      );
    const answers = async (path: string) => {
      while ((await ask('GET', path)) !== 200) {
        if (patroni.exitCode !== null) throw new Error(readFileSync(join(home, `${name}.log`), 'utf8'));
        await pause(100);
      }
    };
    after(lose);
    return { port, rest, ask, answers, lose };
  };
  after(() => {
    for (const child of processes) child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });
  const first = await start('db1');
  await first.answers('/primary');
  const second = await start('db2');
  await second.answers('/synchronous');
  return [first, second];
}

function idsOf(user: string): { uid?: number; gid?: number } {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout));
  return { uid: uid ?? 0, gid: gid ?? 0 };
}
