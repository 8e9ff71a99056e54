import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startLatchkey } from '../support/latchkey.ts';

/** Counts the statements by which /readyz asks the database. */
async function startCounting() {
  const latchkey = await startLatchkey();
  const { database } = latchkey;
  const { query } = database;
  let checks = 0;
  const counting = (...given: Parameters<typeof query>) => {
    if ((given[0] as { name?: string }).name === 'check_database') checks += 1;
    return query.apply(database, given);
  };
  Object.assign(database, { query: counting });
  const ready = async () => (await fetch(`${latchkey.origin}/readyz`)).status;
  return { ...latchkey, ready, checks: () => checks };
}

test('all probes of a second share one answer of the database', async () => {
  const { ready, checks } = await startCounting();
  const start = performance.now();
  const statuses = await Promise.all(Array.from({ length: 200 }, ready));
  for (let count = 0; count < 50; count += 1) statuses.push(await ready());
  assert.deepEqual([...new Set(statuses)], [200]);
  const most = 1 + (performance.now() - start) / 1000;
  assert.ok(checks() >= 1 && checks() <= most, `${checks()} statements`);
});

test('/readyz shows within a second that the database is not usable, and that it is again', async () => {
  const { ready, checks, database } = await startCounting();
  for (const [status, change] of [
    [503, 'alter table settings rename to moved'],
    [200, 'alter table moved rename to settings'],
  ] as const) {
    assert.notEqual(await ready(), status);
    await database.query(change);
    const before = checks();
    while ((await ready()) !== status) await pause(20);
    assert.equal(checks() - before, 1);
  }
});
