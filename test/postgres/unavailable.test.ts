// ci: waits for time limits
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { openDatabase, rows } from '../../src/postgres/database.ts';
import { DatabaseUnavailableError, whyUnavailable } from '../../src/postgres/database-errors.ts';
import { halfOf } from '../../src/postgres/share.ts';
import { createDatabase } from '../support/database.ts';

const connectionString = await createDatabase();
const database = openDatabase({ connectionString }, 2);
after(() => database.end());

const sleep = { name: 'sleep', text: 'select pg_sleep(3.5)' };
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
    await reasonOf(rows(database, { name: 'read_clients', text: 'select client_id from clients' })),
    'database lock held',
  );
  await locker.end();
});

test('a statement that finds no free connection in the pool says so', async () => {
  const taken = [await database.connect(), await database.connect()];
  assert.equal(await reasonOf(rows(database, sleep)), 'no database connection free');
  for (const connection of taken) connection.release();
});

test('a statement of a page that finds all connections of the pages in use says so', async () => {
  const pages = halfOf(database);
  const [first, second] = await Promise.all([reasonOf(rows(pages, sleep)), reasonOf(rows(pages, sleep))]);
  assert.deepEqual([first, second], ['answered', 'no database connection free']);
});

const nowhere = 'postgres://nobody@127.0.0.1:9/nothing';

test('a statement that takes longer than its time limit says so, and one that reaches no server says that', async () => {
  const [long, away] = [{ name: 'long', text: 'select pg_sleep(10)' }, openDatabase({ connectionString: nowhere }, 1)];
  assert.equal(await reasonOf(rows(database, long)), 'database too slow');
  assert.equal(await reasonOf(rows(away, sleep)), 'database unavailable');
  await away.end();
});
