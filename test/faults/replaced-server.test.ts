// ci: kills and waits
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { readDatabaseUrl } from '../../src/config/database-url.ts';
import { findBestHost, type Search } from '../../src/postgres/best-host.ts';
import { openDatabase, requestSettings, row, rows } from '../../src/postgres/database.ts';
import { reasonOf } from '../../src/postgres/database-errors.ts';
import { type Alarm, type Hosts, openHosts } from '../../src/postgres/hosts.ts';
import { createHistory, findServerState, type ServerState } from '../../src/postgres/server-state.ts';
import { createDatabase } from '../support/database.ts';
import { addressOf, insist, type Server, tell as signal, startCluster } from './cluster.ts';
import { startProxy } from './proxy.ts';

// Two servers accept writes: `promoted` has replaced `old`, and nobody has told the latter.

const { primary: old, standby: promoted } = await startCluster();
const urls = readDatabaseUrl(addressOf(old, promoted));
const unsuspecting = { history: createHistory(), check: () => undefined };
const statement = { name: 'port', text: `select current_setting('port') as port` };

async function stateOf(server: Server): Promise<ServerState> {
  const client = new pg.Client(addressOf(server));
  await client.connect();
  return findServerState(client).finally(() => client.end());
}

const replacedMeanwhile = 'another database server has replaced the one that was asked';
const causeOf = (error: unknown) => reasonOf((error as Error).cause);

test('a server that was promoted has a later timeline at once, before its first checkpoint [F41]', async () => {
  await old.query('alter system reset synchronous_standby_names');
  await old.query('select pg_reload_conf()');
  const [checkpointer] = await promoted.query(`select pid from pg_stat_activity where backend_type = 'checkpointer'`);
  signal(Number(checkpointer?.['pid']), 'SIGSTOP');
  await promoted.promote();
  const [control] = await promoted.query('select timeline_id from pg_control_checkpoint()');
  const [before, after] = [await stateOf(old), await stateOf(promoted)];
  signal(Number(checkpointer?.['pid']), 'SIGCONT');
  assert.deepEqual([control?.['timeline_id'], before.timeline, after.timeline], [1, 1, 2]);
  assert.equal(after.system, before.system);
});

test('the promoted server is used, whatever the order of the hosts [F41]', async () => {
  for (const order of [urls, urls.toReversed()]) {
    await insist(async () => (await findBestHost({ urls: order, ...unsuspecting })).port, promoted.port);
  }
});

test('a process that has just started tells the operator of the old server with its first connection [F41]', async () => {
  const alarms: string[] = [];
  const connectionString = addressOf(old, promoted);
  const database = openDatabase({ connectionString }, 1, requestSettings, (message) => alarms.push(message));
  await insist(async () => Number((await row(database, statement))?.['port']), promoted.port);
  assert.match(alarms.join(), new RegExp(`^the database server 127.0.0.1:${old.port} accepts writes, although`));
  await database.end();
});

/** Of a process that has found the old server, while the promoted one did not answer. */
async function openAtOldServer(alarm: Alarm): Promise<{ hosts: Hosts; connect(): Promise<number> }> {
  const hosts = openHosts({ connectionString: addressOf(old, promoted) }, alarm);
  const connect = async () => {
    const client = new hosts.Client(hosts.config);
    await client.connect();
    return hosts
      .admit(client)
      .then(
        () => client.port,
        () => 0,
      )
      .finally(() => client.end());
  };
  await promoted.signal('SIGSTOP');
  await insist(connect, old.port);
  await promoted.signal('SIGCONT');
  return { hosts, connect };
}

test('the connection after one that was refused leads to the promoted server [F41]', async () => {
  const { hosts, connect } = await openAtOldServer(() => {});
  // one that was sent to the promoted server by something else
  const client = new pg.Client(addressOf(promoted));
  await client.connect();
  await hosts.admit(client);
  await client.end();
  assert.equal(await connect(), 0);
  await insist(connect, promoted.port);
});

test('a search that finds the promoted server by itself spares the connections after it a refusal [F41]', async () => {
  let tell = (_: string) => {};
  const alarm = new Promise<string>((resolve) => (tell = resolve));
  const { hosts, connect } = await openAtOldServer((message) => tell(message));
  let isOver = false;
  hosts.watch(() => isOver);
  assert.match(await alarm, /although another one has replaced it/);
  isOver = true;
  // the end of the search that has raised the alarm
  await pause(0);
  assert.equal(await connect(), promoted.port);
});

test('a refusal of the old server is not believed, even if nobody has noticed that it was replaced [F41]', async () => {
  const { hosts } = await openAtOldServer(() => {});
  const since = performance.now();
  await insist(() => hosts.confirm(since).then(() => 'believed', causeOf), replacedMeanwhile);
  await hosts.confirm(performance.now());
});

test('statements at a server that hangs end as soon as another one has replaced it, before their time limit [F40]', async () => {
  // there while the promoted server does not answer
  const openPool = async () => {
    await promoted.signal('SIGSTOP');
    const database = openDatabase({ connectionString: addressOf(old, promoted) }, 2);
    const openTwo = () => Promise.all([database.query('select pg_sleep(0.5)'), database.query('select')]);
    await insist(() => openTwo().then(() => true), true);
    await promoted.signal('SIGCONT');
    return database;
  };
  const isReplaced = async () => {
    const database = await openPool();
    await old.signal('SIGSTOP');
    const ask = () => rows(database, statement).then(([answer]) => Number(answer?.['port']), causeOf);
    const outcome = await ask();
    await insist(ask, promoted.port);
    await old.signal('SIGCONT');
    await database.end();
    return outcome === 'another database server has replaced this one';
  };
  await insist(isReplaced, true);
});

test('a process that has just started waits for the promoted server, although the old one answers sooner [F41]', async () => {
  const findsPromoted = async () => {
    const { address, close } = await startProxy(addressOf(promoted), '127.0.0.1', 400);
    const urls = readDatabaseUrl(addressOf(old).replace('@', `@${address},`));
    const { port } = await findBestHost({ urls, history: createHistory(), check: () => undefined });
    close();
    return port !== old.port;
  };
  await insist(findsPromoted, true);
});

test('a search that has found the old server does not choose it once another connection leads to the promoted server [F41]', async () => {
  const later = await stateOf(promoted);
  const history = createHistory();
  const check: Search['check'] = ({ state }) => {
    const problem = history.isReplaced(state) ? new Error('it was replaced') : undefined;
    // the other connection is made right after this answer
    if (!problem) history.advance(later);
    return problem;
  };
  await assert.rejects(findBestHost({ urls: urls.slice(0, 1), history, check }), /it was replaced/);
  assert.deepEqual(history.latest(), later);
});

test('an unrelated server that accepts writes does not take the place of the one in use [F41]', async () => {
  const history = createHistory();
  history.advance(await stateOf(old));
  const unrelated = await createDatabase();
  const find = () => findBestHost({ urls: [unrelated, ...urls], history, check: () => undefined });
  await insist(async () => (await find()).port, promoted.port);
});

test('an address that leads to the old server again is refused, and the operator is told once [F41]', async () => {
  const alarms: string[] = [];
  const proxy = await startProxy(addressOf(promoted));
  const connectionString = addressOf(promoted).replace(`127.0.0.1:${promoted.port}`, proxy.address);
  const database = openDatabase({ connectionString }, 1, requestSettings, (message) => alarms.push(message));
  const lead = async (server: Server) => {
    proxy.leadTo(addressOf(server));
    // a connection that was broken while it was idle is gone when this one has failed
    while ((await ask()) === 'broken') await pause(10);
  };
  const ask = () => rows(database, statement).then(([answer]) => Number(answer?.['port']), reasonOfFailure);
  const reasonOfFailure = (error: unknown) => (/replaced/.test(causeOf(error)) ? 'replaced' : 'broken');
  await insist(ask, promoted.port);
  await lead(old);
  for (let tries = 0; tries < 3; tries += 1) await insist(ask, 'replaced');
  assert.equal(alarms.length, 1);
  assert.match(alarms[0] ?? '', /accepts writes, although another one has replaced it: stop it/);
  await lead(promoted);
  await insist(ask, promoted.port);
  await database.end();
});

test('a role that may not read the control file of the server is served all the same', async () => {
  for (const server of [old, promoted]) {
    await server.query('create role limited login');
    await server.query('revoke execute on function pg_control_system() from public');
  }
  const limited = (server: Server) => addressOf(server).replace(/\/\/\w+@/, '//limited@');
  const database = openDatabase({ connectionString: limited(promoted) }, 1);
  await insist(async () => Number((await row(database, statement))?.['port']), promoted.port);
  await database.end();
});
