import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase, rows, sql } from '../../src/postgres/database.ts';
import { DatabaseUnavailableError, whyUnavailable } from '../../src/postgres/errors.ts';
import { halfOf } from '../../src/postgres/share.ts';
import { createDatabase } from '../support/database.ts';

const connectionString = await createDatabase();
const database = openDatabase({ connectionString }, 2);
after(() => database.end());

const sleep = sql('sleep', 'select pg_sleep(3)');
/** What the log and /metrics say about the 503 that follows. */
const reasonOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error) => (error instanceof DatabaseUnavailableError ? whyUnavailable(error) : String(error)),
  );

test('a statement that waits for a lock names the lock as the reason of its 503', async () => {
  const locker = new pg.Client({ connectionString });
  await locker.connect();
  await locker.query('begin; lock table clients');
  assert.equal(
    await reasonOf(rows(database, sql('read_clients', 'select client_id from clients'))),
    'database lock held',
  );
  await locker.end();
});

test('a statement that finds no free connection of the pool, or of the share of the pages, says so', async () => {
  const now = sql('now', 'select pg_sleep(0.1)');
  await Promise.all([rows(database, now), rows(database, now)]);
  const [pages, taken] = [halfOf(database), rows(database, sleep)];
  const shared = rows(pages, sleep);
  while (database.idleCount > 0) await pause(5);
  const reasons = await Promise.all([reasonOf(rows(database, sleep)), reasonOf(rows(pages, sleep))]);
  assert.deepEqual(reasons, ['no database connection free', 'no database connection free']);
  await Promise.all([taken, shared]);
});

const nowhere = 'postgres://nobody@127.0.0.1:9/nothing';

test('a statement that takes longer than its time limit says so, and one that reaches no server says that', async () => {
  const [long, away] = [sql('long', 'select pg_sleep(10)'), openDatabase({ connectionString: nowhere }, 1)];
  assert.equal(await reasonOf(rows(database, long)), 'database too slow');
  assert.equal(await reasonOf(rows(away, sleep)), 'database unavailable');
  await away.end();
});
