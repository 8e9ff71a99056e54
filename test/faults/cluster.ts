import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lchownSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Account, chooseAccount } from '../../src/embedded-postgres/account.ts';
import { type Binaries, findBinaries } from '../../src/embedded-postgres/binaries.ts';
import { createCluster, superuser } from '../../src/embedded-postgres/cluster.ts';
import { openHome } from '../../src/embedded-postgres/home.ts';
import { findFreePort } from '../support/free-port.ts';

/** A Postgres server on a port of its own, which can be killed, frozen and promoted. */
export interface Server {
  readonly port: number;
  readonly data: string;
  start(): Promise<void>;
  /** to all of its processes: SIGKILL is a power failure, SIGSTOP a machine that hangs */
  signal(name: NodeJS.Signals): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
  query(text: string): Promise<Record<string, unknown>[]>;
  promote(): Promise<void>;
}

export interface Cluster {
  readonly primary: Server;
  readonly standby: Server;
  /** Makes a server that was stopped a standby of this one, with a copy of its data. */
  follow(server: Server, leader: Server): Promise<void>;
}

interface Installation {
  readonly home: string;
  readonly binaries: Binaries;
  readonly account: Account;
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  wal_level: 'replica',
  wal_keep_size: '256MB',
  fsync: 'off',
  lc_messages: 'C',
  wal_receiver_status_interval: '1s',
  wal_retrieve_retry_interval: '200ms',
};

/** A primary with a standby, which receives each commit before it is acknowledged. */
export async function startCluster(): Promise<Cluster> {
  const scratch = mkdtempSync(join(tmpdir(), 'latchkey-cluster-'));
  after(() => rmSync(scratch, { recursive: true, force: true }));
  const home = openHome(scratch);
  const binaries = findBinaries(home);
  const account = await chooseAccount(home, join(home, 'primary'), binaries);
  const installation = { home, binaries, account };
  await createCluster(join(home, 'primary'), { ...installation, durable: false, lock: undefined });
  const primary = await prepareServer(installation, 'primary');
  const standby = await prepareServer(installation, 'standby');
  const follow = (server: Server, leader: Server) => copyFrom(server, leader, installation);
  await primary.start();
  await follow(standby, primary);
  await standby.start();
  await primary.query(`alter system set synchronous_standby_names = '*'`);
  await primary.query('select pg_reload_conf()');
  await isTrue(primary, `select exists (select from pg_stat_replication where sync_state = 'sync')`);
  return { primary, standby, follow };
}

/** Asks until the answer is true. */
async function isTrue(server: Server, question: string): Promise<void> {
  for (;;) {
    const [row = {}] = await server.query(question).catch(() => []);
    if (Object.values(row)[0] === true) return;
    await pause(20);
  }
}

async function prepareServer({ home, binaries, account }: Installation, name: string): Promise<Server> {
  const port = await findFreePort();
  const data = join(home, name);
  const flags = Object.entries({ ...settings, port }).flatMap((setting) => ['-c', setting.join('=')]);
  let child: ChildProcess | undefined;

  async function query(text: string) {
    const client = new pg.Client(`postgres://${superuser}@127.0.0.1:${port}/postgres`);
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  async function start() {
    const log = openSync(join(home, `${name}.log`), 'a');
    const [command = '', ...args] = [...account.prefix, binaries.postgres, '-D', data, ...flags];
    const options = { cwd: home, env: binaries.env, ...account.ids, detached: true } as const;
    child = spawn(command, args, { ...options, stdio: ['ignore', log, log] });
    const ended = once(child, 'exit');
    while (!(await query('select true').catch(() => undefined))) {
      if (await Promise.race([ended, pause(20)])) throw new Error(readFileSync(join(home, `${name}.log`), 'utf8'));
    }
  }

  async function signal(signalName: NodeJS.Signals) {
    if (!isRunning(child)) return;
    for (const pid of [child.pid, ...childrenOf(child.pid)]) tell(pid, signalName);
    if (signalName === 'SIGKILL') await once(child, 'exit');
  }

  async function stop() {
    if (!isRunning(child)) return;
    child.kill('SIGINT');
    await once(child, 'exit');
  }

  async function promote() {
    await query('select pg_promote()');
    await isTrue(server, 'select not pg_is_in_recovery()');
  }

  const server = { port, data, start, signal, stop, query, promote };
  after(() => signal('SIGKILL'));
  return server;
}

function isRunning(child: ChildProcess | undefined): child is ChildProcess & { pid: number } {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** A frozen process can be killed as well. */
function childrenOf(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  return existsSync(list) ? readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number) : [];
}

function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended in the meantime
  }
}

/** A base backup: the files of a server that runs, with the label that tells where to replay from. */
async function copyFrom(server: Server, leader: Server, { account }: Installation): Promise<void> {
  rmSync(server.data, { recursive: true, force: true });
  const client = new pg.Client(`postgres://${superuser}@127.0.0.1:${leader.port}/postgres`);
  await client.connect();
  await client.query(`select pg_backup_start('copy', true)`);
  // files come and go meanwhile, which the log makes good
  spawnSync('cp', ['-a', leader.data, server.data]);
  for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(server.data, name), { force: true });
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
  await client.end();
  const source = `host=127.0.0.1 port=${leader.port} user=${superuser} application_name=copy`;
  const files = {
    backup_label: rows[0].labelfile,
    'standby.signal': '',
    'postgresql.auto.conf': `primary_conninfo = '${source}'\n`,
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(server.data, name), text);
    if (account.ids) lchownSync(join(server.data, name), account.ids.uid, account.ids.gid);
  }
}

/** As DATABASE_URL: a connection to whichever accepts writes. */
export function addressOf(...servers: Server[]): string {
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return `postgres://${superuser}@${hosts}/postgres?target_session_attrs=read-write`;
}
