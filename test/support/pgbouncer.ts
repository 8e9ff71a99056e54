import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';

/** PGBOUNCER names one; else the one that is installed. */
const program = [process.env['PGBOUNCER'] ?? '', '/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) =>
  existsSync(path),
);
const version = program
  ? /PgBouncer (\d+)\.(\d+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout)
  : null;

/** The reason to skip a test, or false where PgBouncer can run. */
export const withoutPgBouncer = program ? false : 'PgBouncer is not installed';
const isOld = version?.[1] === '1' && Number(version[2]) < 21;
export const withoutPreparedStatements = withoutPgBouncer || (isOld && `${version?.[0]} keeps no prepared statements`);

export interface Pooler {
  /** leads to the database through the pooler */
  readonly url: string;
  start(): Promise<void>;
  /** Ends it without a goodbye; it can be started again. */
  kill(): Promise<void>;
}

/** A pooler before the server of this database; the address is that of the same database, through the pooler. */
export async function startPgBouncer(databaseUrl: string, settings: Record<string, string | number>): Promise<string> {
  const pooler = await preparePgBouncer(databaseUrl, settings);
  await pooler.start();
  return pooler.url;
}

export async function preparePgBouncer(
  databaseUrl: string,
  settings: Record<string, string | number>,
): Promise<Pooler> {
  const url = new URL(databaseUrl);
  const host = url.searchParams.get('host') ?? url.hostname;
  const port = await findFreePort();
  const home = mkdtempSync(join(tmpdir(), 'latchkey-pooler-'));
  const file = join(home, 'pgbouncer.ini');
  const server = {
    host,
    port: url.port || '5432',
    user: url.username,
    ...(url.password && { password: url.password }),
  };
  const all = { listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any', ...settings };
  const lines = (entries: object) => Object.entries(entries).map(([name, value]) => `${name} = ${value}`);
  const database = lines(server).map((line) => line.replaceAll(' ', ''));
  writeFileSync(file, ['[databases]', `* = ${database.join(' ')}`, '[pgbouncer]', ...lines(all)].join('\n'));
  const { prefix, ids } = accountFor(host);
  if (ids) for (const path of [home, file]) chownSync(path, ids.uid, ids.gid);
  let kill = async () => {};
  const start = async () => {
    const [command = '', ...words] = [...prefix, String(program), file];
    const child = spawn(command, words, { cwd: '/', ...ids, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    const exit = once(child, 'close');
    kill = async () => {
      child.kill('SIGKILL');
      await exit;
    };
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${said}`);
      await pause(20);
    }
  };
  after(async () => {
    await kill();
    rmSync(home, { recursive: true, force: true });
  });
  return {
    url: `postgres://${url.username || 'postgres'}@127.0.0.1:${port}${url.pathname}`,
    start,
    kill: () => kill(),
  };
}

/** PgBouncer refuses to run as root, and Postgres accepts only its own user on the socket; a user namespace gives root another name. */
function accountFor(host: string): { prefix: string[]; ids?: { uid: number; gid: number } } {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const { uid, gid } = host.startsWith('/') ? statSync(host) : { uid: 65534, gid: 65534 };
  if (uid !== 0) return { prefix: [], ids: { uid, gid } };
  return { prefix: ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'] };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
