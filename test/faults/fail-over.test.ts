import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { findBestHost, type Search } from '../../src/postgres/best-host.ts';
import { openDatabase, row, sql } from '../../src/postgres/database.ts';
import { reasonOf } from '../../src/postgres/errors.ts';
import { createHistory, findServerState } from '../../src/postgres/server-state.ts';
import { readDatabaseUrl } from '../../src/protocol/database-url.ts';
import { freshTokens } from '../support/attack.ts';
import { getUser, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { seed, startServing, writeFile } from '../support/process.ts';
import { addressOf, startCluster } from './cluster.ts';
import { startProxy } from './proxy.ts';
import { startTraffic } from './traffic.ts';

const reasonOfCause = (error: unknown) => reasonOf((error as Error).cause);
const SEED_FILE = writeFile('seed.sql', seed);
const { primary, standby, join } = await startCluster();
// the standby comes first, so that the order alone never leads to the primary
const latchkey = await startServing({ DATABASE_URL: addressOf(standby, primary), SEED_FILE });
const { origin } = latchkey;

test('when the primary is killed under traffic and its synchronous standby promoted, nothing acknowledged is lost [F40]', async (t) => {
  const traffic = await startTraffic(origin);
  await traffic.flows(20);
  await primary.signal('SIGKILL');
  await standby.promote();
  const ms = await traffic.recovered(performance.now());
  t.diagnostic(`changes again ${Math.round(ms)} ms after the promotion`);
  await traffic.flows(20);
  await traffic.stop();
  await traffic.ledger.verify(origin);
});

test('an old primary that comes back and accepts writes is not used, and the operator is told to stop it [F41]', async () => {
  const browser = await signedInBrowser(origin);
  const { access_token } = await freshTokens(origin, browser, {});
  await primary.start();
  await latchkey.said(
    new RegExp(`"level":50.*127.0.0.1:${primary.port} accepts writes, although another one has replaced it`),
  );
  await standby.signal('SIGSTOP');
  // neither the connections that are open nor new ones lead to the old primary, where this token is unknown
  for (let count = 0; count < 3; count += 1) {
    const { status, headers } = await getUser(origin, access_token);
    assert.equal(status, 503);
    // how many seconds depends on whether the request still waited for its turn
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  await standby.signal('SIGCONT');
  while ((await getUser(origin, access_token)).status !== 200) await pause(50);
  assert.equal((await redeem(origin, await obtainCode(browser))).status, 200);
});

test('a process that starts beside two servers that accept writes uses the one that was promoted later [F41]', async () => {
  const second = await startServing({ DATABASE_URL: addressOf(primary, standby) });
  assert.match(second.output(), /accepts writes, although another one has replaced it: stop it/);
  const browser = await signedInBrowser(second.origin);
  const { access_token } = await freshTokens(second.origin, browser, {});
  assert.equal((await getUser(origin, access_token)).status, 200);
  await second.kill();
});

test('statements at a server that hangs end as soon as another one has replaced it, before their time limit [F40]', async () => {
  // there while the promoted server does not answer
  const openAtOldPrimary = async () => {
    await standby.signal('SIGSTOP');
    const database = openDatabase({ connectionString: addressOf(primary, standby) }, 2);
    await Promise.all([database.query('select pg_sleep(0.5)'), database.query('select')]);
    await standby.signal('SIGCONT');
    return database;
  };
  const isReplaced = async () => {
    const database = await openAtOldPrimary();
    await primary.signal('SIGSTOP');
    const statement = () => row(database, sql('one', 'select 1 as one')).then(() => 'an answer', reasonOfCause);
    const first = statement();
    const sending = setInterval(() => void statement(), 50);
    const outcome = await first;
    clearInterval(sending);
    assert.equal(await statement(), 'an answer');
    await primary.signal('SIGCONT');
    await database.end();
    return outcome === 'another database server has replaced this one';
  };
  // a crowded machine may need longer for an answer than a search waits
  for (let tries = 1; !(await isReplaced()); tries += 1) assert.ok(tries < 5, 'it waited for the time limit');
});

test('a process that has just started waits for the promoted server, although the old primary answers sooner [F41]', async () => {
  const findsPromoted = async () => {
    const { address, close } = await startProxy(addressOf(standby), '127.0.0.1', 400);
    const { urls } = readDatabaseUrl(addressOf(primary).replace('@', `@${address},`));
    const { port } = await findBestHost({ urls, history: createHistory(), check: () => undefined });
    close();
    return port !== primary.port;
  };
  // a crowded machine may need longer for an answer than a process waits
  for (let tries = 1; !(await findsPromoted()); tries += 1) assert.ok(tries < 5, 'it chose the old primary');
});

test('a search that has found the old primary does not choose it once another connection leads to the promoted server [F41]', async () => {
  const client = new pg.Client(addressOf(standby));
  await client.connect();
  const promoted = await findServerState(client);
  await client.end();
  const history = createHistory();
  const check: Search['check'] = ({ state }) => {
    const problem = history.isReplaced(state) ? new Error('it was replaced') : undefined;
    // the other connection is made right after this answer
    if (!problem) history.advance(promoted);
    return problem;
  };
  const { urls } = readDatabaseUrl(addressOf(primary));
  await assert.rejects(findBestHost({ urls, history, check }), /it was replaced/);
  assert.deepEqual(history.latest(), promoted);
});

test('a later timeline is never followed by an earlier one [F41]', () => {
  const history = createHistory();
  const at = (timeline: number) => ({ is_standby: false, is_read_only: false, system: 'one', timeline });
  history.advance(at(2));
  history.advance(at(1));
  assert.deepEqual(history.latest(), at(2));
  assert.ok(history.isReplaced(at(1)));
});

test('the rewound primary follows as a standby, and connections go on to the new primary [F41]', async () => {
  await primary.stop();
  await join(primary, standby);
  const traffic = await startTraffic(origin, 4);
  await traffic.flows(8);
  await traffic.stop();
  await traffic.ledger.verify(origin);
});

test('target_session_attrs=any takes the first host, also a standby; read-write and primary do not', async () => {
  for (const [target, expected] of [
    ['any', true],
    ['read-write', false],
    ['primary', false],
  ] as const) {
    const connectionString = addressOf(primary, standby).replace('read-write', target);
    const database = openDatabase({ connectionString }, 1);
    const { rows } = await database.query('select pg_is_in_recovery() as is_standby');
    assert.deepEqual(rows, [{ is_standby: expected }], target);
    await database.end();
  }
});

test('a server that has become read-only is left for one that was promoted', async () => {
  const traffic = await startTraffic(origin, 4);
  await traffic.flows(8);
  await standby.query('alter system set default_transaction_read_only = on');
  await standby.query('select pg_reload_conf()');
  await primary.promote();
  await traffic.recovered(performance.now());
  await traffic.flows(8);
  await traffic.stop();
  await traffic.ledger.verify(origin);
  await latchkey.kill();
});
