import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { batched } from '../../src/postgres/batches.ts';
import { type Database, openDatabase, requestSettings, statements } from '../../src/postgres/database.ts';
import { DatabaseUnavailableError } from '../../src/postgres/database-errors.ts';
import { createDatabase } from '../support/database.ts';

const connectionString = await createDatabase();

/** Each statement that is run from now on: which things it asks for. */
let asked: number[][] = [];
const sizes = () => asked.map(({ length }) => length);

function open(settings = requestSettings): Database {
  const opened = openDatabase({ connectionString }, 16, settings);
  after(() => opened.end());
  const { query } = opened;
  opened.query = ((statement: { values?: [Buffer[]] }, ...rest: unknown[]) => {
    if (statement.values) asked.push(statement.values[0].map(([thing]) => thing ?? 0));
    return Reflect.apply(query, opened, [statement, ...rest]);
  }) as typeof query;
  return opened;
}

// a busy machine may need longer for the steps of a test than a request waits for a lock
const database = open({ ...requestSettings, lock_timeout: '3s' });
await database.query('create table things (thing bytea primary key, taken_by text)');

beforeEach(async () => {
  await database.query('truncate things');
  await database.query("insert into things select set_byte('\\x00', 0, n) from generate_series(1, 200) n");
  asked = [];
});

interface Take {
  thing: Buffer;
  taker?: string;
}

// not a statement of the program, whose texts another file of this process compares
after(() => statements.delete('take_thing'));
const takeThing = batched<Take, { thing: Buffer; taker: string | null }>(
  'take_thing',
  { thing: 'bytea', taker: 'text' },
  (requests) => `
   update things
   set taken_by = requests.taker
   from ${requests}
   where things.thing = requests.thing
     and taken_by is null
   returning position, things.thing, requests.taker`,
);

const take = (thing: number, taker: string) => takeThing(database, { thing: Buffer.of(thing), taker });
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('a single request gets a statement of its own', async () => {
  assert.equal((await take(1, 'one'))?.taker, 'one');
  assert.equal(await take(1, 'another'), undefined);
  assert.deepEqual(sizes(), [1, 1]);
});

test('simultaneous requests share a statement, and each gets its own answer', async () => {
  const answers = await Promise.all([3, 250, 1, 2].map((thing) => take(thing, `taker of ${thing}`)));
  assert.deepEqual(
    answers.map((answer) => answer?.taker),
    ['taker of 3', undefined, 'taker of 1', 'taker of 2'],
  );
  assert.deepEqual(sizes(), [4]);
});

test('a statement processes keys in order, so that two statements cannot deadlock', async () => {
  await Promise.all([3, 1, 2].map((thing) => take(thing, 'x')));
  assert.deepEqual(asked, [[1, 2, 3]]);
});

test('an omitted parameter is null', async () => {
  assert.deepEqual((await takeThing(database, { thing: Buffer.of(1) }))?.taker, null);
});

test('of several requests for the same row in one statement, one succeeds', async () => {
  const answers = await Promise.all(numbers(10).map((n) => take(7, `taker ${n}`)));
  const [winner, ...others] = answers.filter((answer) => answer !== undefined);
  assert.deepEqual(others, []);
  const { rows } = await database.query('select taken_by from things where thing = $1', [Buffer.of(7)]);
  assert.equal(rows[0].taken_by, winner?.taker);
  assert.deepEqual(sizes(), [10]);
});

test('a statement answers at most five hundred requests, and the others do not wait for it', async () => {
  const { release } = await lock([1]);
  const requests = Array.from({ length: 600 }, (_, n) => take(1 + (n % 200), 'x'));
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
  assert.deepEqual(sizes(), [500, 100]);
  await release();
  const answers = (await Promise.all(requests)).filter((answer) => answer !== undefined);
  assert.deepEqual(
    answers.map(({ thing }) => thing[0]).sort((one, other) => Number(one) - Number(other)),
    numbers(200),
  );
});

test('requests that arrive while two statements are running are collected', async () => {
  const { release } = await lock(numbers(200));
  const start = performance.now();
  const requests = [];
  for (const thing of numbers(200)) {
    requests.push(take(thing, 'x'));
    await new Promise(setImmediate);
  }
  // a statement that has waited for 50 milliseconds is not counted as running any more
  const most = 2 * (1 + Math.floor((performance.now() - start) / 49));
  assert.ok(asked.length <= most, `${asked.length} statements, ${most} expected`);
  await release();
  await Promise.all(requests);
});

test('statements that wait for a lock do not delay other statements', async () => {
  const { release, waiting } = await lock([1, 2, 3]);
  const locked = [];
  for (const thing of [1, 2, 3]) {
    locked.push(take(thing, 'x'));
    await waiting(thing);
  }
  assert.equal((await take(4, 'x'))?.taker, 'x');
  await release();
  assert.equal((await Promise.all(locked)).length, 3);
});

test('a request that times out on a lock fails alone; the others of its statement are answered once', async () => {
  const { release } = await lock([2]);
  const impatient = open();
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map((thing) => takeThing(impatient, { thing: Buffer.of(thing), taker: 'x' })),
  );
  await release();
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  const [, locked] = outcomes as PromiseRejectedResult[];
  assert.ok(locked?.reason instanceof DatabaseUnavailableError);
  assert.deepEqual(sizes(), [3, 1, 1, 1, 1, 1], 'the one that is locked is tried three times');
  const { rows } = await database.query('select thing from things where taken_by is not null order by thing');
  assert.deepEqual(
    rows.map(({ thing }) => thing[0]),
    [1, 3],
  );
});

test('a request that Postgres rejects fails alone', async () => {
  const outcomes = await Promise.allSettled([take(1, 'x'), take(2, 'zero: \0'), take(3, 'x')]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('a request that a trigger rejects fails alone, with the trigger’s message', async () => {
  await database.query(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'not this one'; end $$`);
  await database.query(`create trigger refuse before update on things for each row
    when (get_byte(old.thing, 0) = 2) execute function refuse()`);
  const outcomes = await Promise.allSettled([1, 2, 3].map((thing) => take(thing, 'x')));
  await database.query('drop trigger refuse on things');
  const [first, refused, third] = outcomes;
  assert.deepEqual([first?.status, refused?.status, third?.status], ['fulfilled', 'rejected', 'fulfilled']);
  assert.match(String((refused as PromiseRejectedResult).reason), /not this one/);
});

test('after a lost connection every request fails and none is repeated, because the outcome is unknown', async () => {
  const { release, waiting } = await lock([2]);
  const requests = Promise.allSettled([1, 2, 3].map((thing) => take(thing, 'x')));
  await waiting(1);
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  );
  for (const outcome of (await requests) as PromiseRejectedResult[]) {
    assert.ok(outcome.reason instanceof DatabaseUnavailableError);
  }
  assert.deepEqual(sizes(), [3]);
  await release();
  assert.equal((await take(1, 'later'))?.taker, 'later');
});

/** Locks things; `waiting` comes back when so many statements wait for them. */
async function lock(things: number[]) {
  const holder = await database.connect();
  await holder.query('begin');
  await holder.query('select from things where thing = any ($1) for update', [things.map((thing) => Buffer.of(thing))]);
  const blocked = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  return {
    async waiting(count: number) {
      while ((await database.query(blocked)).rowCount !== count) {}
    },
    async release() {
      await holder.query('commit');
      holder.release();
    },
  };
}
