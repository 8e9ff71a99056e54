import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { unhurried } from '../../src/audit/audit-export.ts';
import { getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { registerPeople, startWithPrinter } from '../support/latchkey.ts';

const { origin, database, url } = await startWithPrinter();
await registerPeople(database, ['root']);
await database.query("update users set is_admin = true where username = 'root'");

test('while all that administrators ask for hangs, applications get their tokens and answers, and two connections wait [F64]', async () => {
  const root = await signedInBrowser(origin, 'root');
  const { body } = await redeem(origin, await obtainCode(await signedInBrowser(origin)));
  // neither tokens nor /user need this table
  const locking = new pg.Client({ connectionString: url });
  locking.on('error', () => {});
  await locking.connect();
  after(() => locking.end());
  await locking.query('begin; lock table sign_in_names in access exclusive mode');
  const asked = Array.from({ length: 30 }, () => root.open('/admin/people?find=alice'));
  const waits =
    "select count(*)::integer as waits from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  let [most, refresh_token] = [0, body['refresh_token']];
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const start = performance.now();
    const answer = await refresh(origin, refresh_token);
    assert.equal(answer.status, 200);
    refresh_token = answer.body['refresh_token'];
    assert.equal((await getUser(origin, answer.body['access_token'])).status, 200);
    times.push(performance.now() - start);
    most = Math.max(most, (await locking.query(waits)).rows[0].waits);
  }
  const statuses = (await Promise.all(asked)).map(({ status, headers }) => [status, headers.has('retry-after')]);
  assert.deepEqual(new Set(statuses.map(String)), new Set(['503,true']));
  assert.equal(most, 2);
  // each one that waited for one of theirs would have taken half a second
  const half = times.sort((one, other) => one - other)[10] ?? 0;
  assert.ok(half < 450, `${half} ms`);
  await locking.query('rollback');
  assert.equal((await root.open('/admin/people?find=alice')).status, 200);
});

test('an export rests four times as long as it works [F64]', async () => {
  async function* pieces(): AsyncGenerator<string> {
    for (let piece = 0; piece < 5; piece += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      yield String(piece);
    }
  }
  const start = performance.now();
  const taken: string[] = [];
  for await (const piece of unhurried(pieces())) taken.push(piece);
  assert.deepEqual(taken, ['0', '1', '2', '3', '4']);
  assert.ok(performance.now() - start > 5 * 10 + 5 * 35);
});
