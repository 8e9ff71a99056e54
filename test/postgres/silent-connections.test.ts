// ci: takes the database away, and waits
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type pg from 'pg';
import { type Database, openDatabase, requestSettings, row } from '../../src/postgres/database.ts';
import { whyUnavailable } from '../../src/postgres/database-errors.ts';
import { createDatabase } from '../support/database.ts';

const connectionString = await createDatabase({ migrated: false });

function openImpatiently(query_timeout: number, url = connectionString, size = 1): Database {
  const database = openDatabase({ connectionString: url }, size, { ...requestSettings, statement_timeout: '0' });
  Object.assign(database.options, { query_timeout });
  after(() => database.end());
  return database;
}

const findProcess = { name: 'find_process', text: 'select pg_backend_pid() as pid' };
const sleep = { name: 'sleep_long', text: 'select pg_sleep(60)' };

test('a connection whose server owes an answer and is silent is closed, and one that merely waits is not', async () => {
  const database = openImpatiently(300);
  const first = await row<{ pid: number }>(database, findProcess);
  await pause(1000);
  assert.deepEqual(await row(database, findProcess), first);

  await assert.rejects(row(database, sleep), (error) => whyUnavailable(error as Error) === 'database too slow');
  const next = await row<{ pid: number }>(database, findProcess);
  assert.notEqual(next?.pid, first?.pid);
});

test('a server that sends something now and then is waited for', async () => {
  const database = openImpatiently(300);
  await database.query(`create function speak() returns integer language plpgsql as $$
    begin
      for second in 1..10 loop
        raise notice 'not yet';
        perform pg_sleep(0.1);
      end loop;
      return 1;
    end $$`);
  assert.deepEqual(await row(database, { name: 'speak', text: 'select speak() as said' }), { said: 1 });
});

test('a connection that fell silent while it was opened is not missing later, when Postgres refuses new ones', async () => {
  const role = `silent_${randomBytes(6).toString('hex')}`;
  const owner = openImpatiently(5000);
  // the server goes on with the silent one
  await owner.query(`create role ${role} login password 'x' connection limit 2`);
  const url = Object.assign(new URL(connectionString), { username: role, password: 'x' });
  const database = openImpatiently(300, url.href, 2);
  const { onConnect } = database.options;
  Object.assign(database.options, {
    onConnect: async (client: pg.PoolClient) => {
      await onConnect?.(client);
      await client.query('select pg_sleep(60)');
    },
  });
  await assert.rejects(row(database, findProcess), (error) => whyUnavailable(error as Error) === 'database too slow');
  assert.equal(database.totalCount, 0);

  Object.assign(database.options, { onConnect });
  const nap = { name: 'nap', text: 'select pg_sleep(0.1)' };
  await row(database, nap);
  await Promise.all([row(database, nap), row(database, nap)]);
  await owner.query(`drop role ${role}`);
});

test('what a statement has returned is gone with the next collection of the young generation', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
  const database = openImpatiently(5000);
  const ask = { name: 'many_texts', text: `select repeat('x', 1000) as text from generate_series(1, 100)` };
  const kept = () =>
    getHeapSpaceStatistics()
      .filter(({ space_name }) => !space_name.startsWith('new_'))
      .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
  const run = async (count: number) => {
    for (let done = 0; done < count; done += 1) {
      await row(database, ask);
      collect({ type: 'minor' });
    }
  };
  await run(20);
  const before = kept();
  await run(20);
  assert.ok(kept() - before < 500_000, `${kept() - before} bytes of two million are kept`);
});
