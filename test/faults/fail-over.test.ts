// ci: kills and waits
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../src/postgres/database.ts';
import { freshTokens } from '../support/attack.ts';
import { getUser, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { seed, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';
import { addressOf, insist, startCluster } from './cluster.ts';
import { startTraffic } from './traffic.ts';

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

test('the rewound primary follows as a standby, and connections go on to the new primary [F41]', async () => {
  await primary.stop();
  await join(primary, standby);
  const traffic = await startTraffic(origin, 4);
  await traffic.flows(8);
  await traffic.stop();
  await traffic.ledger.verify(origin);
});

test('whatever target_session_attrs says, a standby is not used: what it answers may be out of date [F41]', async () => {
  for (const target of ['any', 'read-write', 'primary']) {
    const connectionString = addressOf(primary, standby).replace('read-write', target);
    const isStandby = async () => {
      const database = openDatabase({ connectionString }, 1);
      const asked = database.query('select pg_is_in_recovery() as is_standby').finally(() => database.end());
      return (await asked).rows[0].is_standby;
    };
    await insist(isStandby, false);
  }
  const database = openDatabase({ connectionString: addressOf(primary).replace(/\?.*/, '') }, 1);
  await assert.rejects(database.query('select'), /is a standby/);
  await database.end();
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
