import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { findBestHost, type Search } from '../../src/postgres/best-host.ts';
import { openDatabase, requestSettings, row, rows, sql } from '../../src/postgres/database.ts';
import { reasonOf } from '../../src/postgres/errors.ts';
import { createHistory, findServerState, type ServerState } from '../../src/postgres/server-state.ts';
import { readDatabaseUrl } from '../../src/protocol/database-url.ts';
import { createDatabase } from '../support/database.ts';
import { addressOf, type Server, startCluster, tell } from './cluster.ts';
import { startProxy } from './proxy.ts';

// Two servers accept writes: `promoted` has replaced `old`, and nobody has told the latter.

const { primary: old, standby: promoted } = await startCluster();
const { urls } = readDatabaseUrl(addressOf(old, promoted));
const unsuspecting = { history: createHistory(), check: () => undefined };
const statement = sql('port', `select current_setting('port') as port`);

async function stateOf(server: Server): Promise<ServerState> {
  const client = new pg.Client(addressOf(server));
  await client.connect();
  return findServerState(client).finally(() => client.end());
}

const causeOf = (error: unknown) => reasonOf((error as Error).cause);

test('a server that was promoted has a later timeline at once, before its first checkpoint [F41]', async () => {
  await old.query('alter system reset synchronous_standby_names');
  await old.query('select pg_reload_conf()');
  const [checkpointer] = await promoted.query(`select pid from pg_stat_activity where backend_type = 'checkpointer'`);
  tell(Number(checkpointer?.['pid']), 'SIGSTOP');
  await promoted.promote();
  const [control] = await promoted.query('select timeline_id from pg_control_checkpoint()');
  const [before, after] = [await stateOf(old), await stateOf(promoted)];
  tell(Number(checkpointer?.['pid']), 'SIGCONT');
  assert.deepEqual([control?.['timeline_id'], before.timeline, after.timeline], [1, 1, 2]);
  assert.equal(after.system, before.system);
});

test('the promoted server is used, whatever the order of the hosts [F41]', async () => {
  for (const order of [urls, urls.toReversed()]) {
    assert.equal((await findBestHost({ urls: order, ...unsuspecting })).port, promoted.port);
  }
});

test('statements at a server that hangs end as soon as another one has replaced it, before their time limit [F40]', async () => {
  // there while the promoted server does not answer
  const openAtOldServer = async () => {
    await promoted.signal('SIGSTOP');
    const database = openDatabase({ connectionString: addressOf(old, promoted) }, 2);
    await Promise.all([database.query('select pg_sleep(0.5)'), database.query('select')]);
    await promoted.signal('SIGCONT');
    return database;
  };
  const isReplaced = async () => {
    const database = await openAtOldServer();
    await old.signal('SIGSTOP');
    const ask = () => rows(database, statement).then(([answer]) => Number(answer?.['port']), causeOf);
    const outcome = await ask();
    assert.equal(await ask(), promoted.port);
    await old.signal('SIGCONT');
    await database.end();
    return outcome === 'another database server has replaced this one';
  };
  // a crowded machine may need longer for an answer than a search waits
  for (let tries = 1; !(await isReplaced()); tries += 1) assert.ok(tries < 5, 'it waited for the time limit');
});

test('a process that has just started waits for the promoted server, although the old one answers sooner [F41]', async () => {
  const findsPromoted = async () => {
    const { address, close } = await startProxy(addressOf(promoted), '127.0.0.1', 400);
    const { urls } = readDatabaseUrl(addressOf(old).replace('@', `@${address},`));
    const { port } = await findBestHost({ urls, history: createHistory(), check: () => undefined });
    close();
    return port !== old.port;
  };
  // a crowded machine may need longer for an answer than a process waits
  for (let tries = 1; !(await findsPromoted()); tries += 1) assert.ok(tries < 5, 'it chose the old server');
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
  const found = await findBestHost({ urls: [await createDatabase(), ...urls], history, check: () => undefined });
  assert.equal(found.port, promoted.port);
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
  assert.equal(await ask(), promoted.port);
  await lead(old);
  for (let tries = 0; tries < 3; tries += 1) assert.equal(await ask(), 'replaced');
  assert.equal(alarms.length, 1);
  assert.match(alarms[0] ?? '', /accepts writes, although another one has replaced it: stop it/);
  await lead(promoted);
  assert.equal(await ask(), promoted.port);
  await database.end();
});

test('a role that may not read the control file of the server is served all the same', async () => {
  for (const server of [old, promoted]) {
    await server.query('create role limited login');
    await server.query('revoke execute on function pg_control_system() from public');
  }
  const limited = (server: Server) => addressOf(server).replace(/\/\/\w+@/, '//limited@');
  const database = openDatabase({ connectionString: limited(promoted) }, 1);
  assert.equal(Number((await row(database, statement))?.['port']), promoted.port);
  await database.end();
});

const at = (timeline: number, system = 'one') => ({ is_standby: false, is_read_only: false, system, timeline });

test('a later timeline is never followed by an earlier one [F41]', () => {
  const history = createHistory();
  history.advance(at(2));
  history.advance(at(1));
  assert.deepEqual(history.latest(), at(2));
  assert.ok(history.isReplaced(at(1)));
});

test('who has moved to another cluster does not go back, not even to a later timeline [F41]', () => {
  const history = createHistory();
  for (const state of [at(2), at(1, 'two'), at(3)]) history.advance(state);
  assert.deepEqual(history.latest(), at(1, 'two'));
  assert.ok(history.isReplaced(at(3)));
  assert.ok(!history.isReplaced(at(1, 'two')));
  assert.ok(!history.isReplaced(at(1, 'three')));
});

test('a later timeline ends the connections to earlier ones, and no others [F41]', () => {
  const history = createHistory();
  const ended: string[] = [];
  const open = (name: string, state: ServerState) => {
    const client = new EventEmitter().on('error', () => ended.push(name)) as pg.Client;
    history.add(client, state);
    return client;
  };
  history.advance(at(1));
  open('of the old server', at(1));
  open('closed before', at(1)).emit('end');
  open('of the promoted server', at(2));
  history.advance(at(2));
  assert.deepEqual(ended, ['of the old server']);
});
