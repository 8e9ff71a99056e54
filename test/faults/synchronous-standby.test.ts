// ci: kills and waits
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { getUser, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { seed, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';
import { addressOf, startCluster } from './cluster.ts';

test('a commit that no standby has confirmed is answered with 503, and after a fail-over the code gives one line of tokens [F44]', async () => {
  const { primary, standby } = await startCluster();
  const latchkey = await startServing({
    DATABASE_URL: addressOf(primary, standby),
    SEED_FILE: writeFile('seed.sql', seed),
  });
  const { origin } = latchkey;
  const code = await obtainCode(await signedInBrowser(origin));
  await standby.signal('SIGKILL');

  const unknown = redeem(origin, code);
  const waiting = `select pid from pg_stat_activity where wait_event = 'SyncRep'`;
  let pid: unknown;
  while (pid === undefined) {
    await pause(10);
    pid = (await primary.query(waiting))[0]?.['pid'];
  }
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
  // Postgres commits, warns, and reports a success
  await primary.query(`select pg_cancel_backend(${pid})`);
  const { status, body, headers } = await unknown;
  assert.deepEqual([status, body['error'], headers.get('retry-after')], [503, 'temporarily_unavailable', '5']);
  const [stored] = await primary.query('select redeemed_at is not null as is_redeemed from authorization_codes');
  assert.deepEqual(stored, { is_redeemed: true });

  await primary.signal('SIGKILL');
  await standby.start();
  await standby.promote();
  let retried = await redeem(origin, code);
  while (retried.status === 503) retried = await redeem(origin, code);
  assert.equal(retried.status, 200);
  assert.equal((await getUser(origin, retried.body['access_token'])).status, 200);
  assert.equal((await redeem(origin, code)).body['error'], 'invalid_grant');
  await latchkey.kill();
});
