import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase, row, rows, sql } from '../../src/store/database.ts';
import { createDatabase } from '../support/database.ts';

/** One connection, and the messages about columns that came over it. */
const database = openDatabase({ connectionString: await createDatabase() }, 1);
after(() => database.end());
let descriptions = 0;
database.on('connect', (client) => {
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  connection.on('rowDescription', () => {
    descriptions += 1;
  });
});

test('a statement is described once, and its rows are the same ever after', async () => {
  const statement = sql(
    'all_kinds',
    `select $1::integer as number, $2::text as text, $3::bytea as bytes, $4::boolean as yes, $5::text[] as list,
       $6::jsonb as data, $7::timestamptz as at, null::text as nothing
     from generate_series(1, $8) n`,
  );
  const values = [7, 'seven', Buffer.from('7'), true, ['a,b', '"c"', '\\'], { a: [1] }, new Date(7000)];
  const expected = { number: 7, text: 'seven', bytes: Buffer.from('7'), yes: true, list: ['a,b', '"c"', '\\'] };
  for (const count of [2, 0, 3]) {
    const found = await rows(database, statement, [...values, count]);
    assert.deepEqual(found, Array(count).fill({ ...expected, data: { a: [1] }, at: new Date(7000), nothing: null }));
  }
  assert.equal(descriptions, 1);
});

test('statements that take turns on a connection keep their columns apart', async () => {
  const [one, other] = [sql('one', 'select 1 as a, 2 as b'), sql('other', "select 'x' as c")];
  for (let turn = 0; turn < 3; turn += 1) {
    assert.deepEqual(await row(database, one), { a: 1, b: 2 });
    assert.deepEqual(await row(database, other), { c: 'x' });
  }
});

test('a statement without rows, and one that fails, leave the next one as it was', async () => {
  await database.query('create table things (thing integer primary key)');
  const insert = sql('insert_thing', 'insert into things values ($1)');
  const divide = sql('divide', 'select 12 / $1::integer as quotient');
  await assert.rejects(rows(database, divide, [0]), /division by zero/);
  assert.deepEqual(await row(database, divide, [4]), { quotient: 3 });
  await assert.rejects(rows(database, divide, [0]), /division by zero/);
  assert.deepEqual(await row(database, divide, [3]), { quotient: 4 });
  for (const thing of [1, 2]) assert.deepEqual(await rows(database, insert, [thing]), []);
  await assert.rejects(rows(database, insert, [1]), /things_pkey/);
  await assert.rejects(rows(database, sql('wrong', 'select nothing from nowhere')), /nowhere/);
  assert.deepEqual(await rows(database, insert, [3]), []);
  assert.equal((await row<{ n: number }>(database, sql('count', 'select count(*)::integer as n from things')))?.n, 3);
});
