import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lchownSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { reasonOf } from '../../src/postgres/database-errors.ts';
import { type Binaries, findBinaries } from '../../src/postgres/embedded/binaries.ts';
import { createCluster, superuser } from '../../src/postgres/embedded/cluster.ts';
import { openHome } from '../../src/postgres/embedded/data-directory.ts';
import { type Account, chooseAccount } from '../../src/postgres/embedded/service-account.ts';
import { findFreePort } from '../support/free-port.ts';

/** A Postgres server on a port of its own, which can be killed, frozen and promoted. */
export interface Server {
  readonly port: number;
  readonly data: string;
  start(): Promise<void>;
  /** to all of its processes: SIGKILL is a power failure, SIGSTOP a machine that hangs */
  signal(name: NodeJS.Signals): Promise<void>;
  /** resolves when it has ended, by itself for instance */
  ended(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
  query(text: string): Promise<Record<string, unknown>[]>;
  promote(): Promise<void>;
}

export interface Cluster {
  readonly primary: Server;
  readonly standby: Server;
  /** Makes a server that has ended the synchronous standby of this one, with a copy of its data. */
  join(server: Server, leader: Server): Promise<void>;
}

interface Installation {
  readonly scratch: string;
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

type Environment = Readonly<Record<string, string>>;

/** Two servers: a primary, and a standby that has each commit before it is acknowledged. The standby may have a clock of its own. */
export async function startCluster(clockOfStandby: Environment = {}): Promise<Cluster> {
  const installation = await install(mkdtempSync(join(tmpdir(), 'latchkey-cluster-')));
  const [primary, standby] = [
    await prepareServer(installation, 'primary'),
    await prepareServer(installation, 'standby', {}, clockOfStandby),
  ];
  after(async () => {
    for (const server of [primary, standby]) await server.signal('SIGKILL');
    rmSync(installation.scratch, { recursive: true, force: true });
  });
  await createCluster(primary.data, { ...installation, durable: false, lock: undefined });
  await primary.start();
  const cluster = {
    primary,
    standby,
    join: (server: Server, leader: Server) => joinCluster(server, leader, installation),
  };
  await cluster.join(standby, primary);
  return cluster;
}

/** One server, whose files are below this directory. */
export async function startAlone(
  scratch: string,
  changes: Partial<typeof settings> = {},
  clock: Environment = {},
): Promise<Server> {
  const installation = await install(scratch);
  const server = await prepareServer(installation, 'alone', changes, clock);
  after(() => server.signal('SIGKILL'));
  await createCluster(server.data, { ...installation, durable: false, lock: undefined });
  await server.start();
  return server;
}

async function install(scratch: string): Promise<Installation> {
  const home = openHome(scratch);
  const binaries = findBinaries(home);
  return { scratch, home, binaries, account: await chooseAccount(home, join(home, 'none'), binaries) };
}

async function joinCluster(server: Server, leader: Server, installation: Installation): Promise<void> {
  await copyFrom(server, leader, installation);
  await server.start();
  await leader.query(`alter system set synchronous_standby_names = '*'`);
  await leader.query('select pg_reload_conf()');
  await isTrue(leader, `select exists (select from pg_stat_replication where sync_state = 'sync')`);
}

/** Asks until the answer is true. */
async function isTrue(server: Server, question: string): Promise<void> {
  for (;;) {
    const [row = {}] = await server.query(question).catch(() => []);
    if (Object.values(row)[0] === true) return;
    await pause(20);
  }
}

async function prepareServer(
  { home, binaries, account }: Installation,
  name: string,
  changes: Partial<typeof settings> = {},
  clock: Environment = {},
): Promise<Server> {
  const port = await findFreePort();
  const data = join(home, name);
  const flags = Object.entries({ ...settings, ...changes, port }).flatMap((setting) => ['-c', setting.join('=')]);
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
    if (isRunning(child)) throw new Error(`${name} has not ended`);
    const log = openSync(join(home, `${name}.log`), 'a');
    const [command = '', ...args] = [...account.prefix, binaries.postgres, '-D', data, ...flags];
    const options = { cwd: home, env: { ...binaries.env, ...clock }, ...account.ids, detached: true } as const;
    child = spawn(command, args, { ...options, stdio: ['ignore', log, log] });
    const ended = once(child, 'exit');
    while (!(await query('select true').catch(() => undefined))) {
      if (await Promise.race([ended, pause(20)])) throw new Error(readFileSync(join(home, `${name}.log`), 'utf8'));
    }
  }

  async function signal(signalName: NodeJS.Signals) {
    if (!isRunning(child)) return;
    for (const pid of [child.pid, ...childrenOf(child.pid)]) tell(pid, signalName);
    if (signalName === 'SIGKILL') await ended();
  }

  async function ended() {
    if (isRunning(child)) await once(child, 'exit');
  }

  async function stop() {
    if (!isRunning(child)) return;
    child.kill('SIGINT');
    await ended();
  }

  async function promote() {
    await query('select pg_promote()');
    await isTrue(server, 'select not pg_is_in_recovery()');
  }

  const server = { port, data, start, signal, ended, stop, query, promote };
  return server;
}

function isRunning(child: ChildProcess | undefined): child is ChildProcess & { pid: number } {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** A frozen process can be killed as well. */
export function childrenOf(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  return existsSync(list) ? readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number) : [];
}

export function tell(pid: number, signal: NodeJS.Signals): void {
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

/** A crowded machine may need longer for an answer than a search for the best server waits. */
export async function insist<T>(find: () => Promise<T>, expected: T): Promise<void> {
  let found: unknown;
  for (let tries = 0; tries < 20 && found !== expected; tries += 1) found = await find().catch(reasonOf);
  assert.equal(found, expected);
}

/** As DATABASE_URL: a connection to whichever accepts writes. */
export function addressOf(...servers: Server[]): string {
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return `postgres://${superuser}@${hosts}/postgres?target_session_attrs=read-write`;
}
