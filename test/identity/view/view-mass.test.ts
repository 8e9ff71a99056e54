import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { compareRound } from '../../../src/identity/view/view-comparison.ts';
import { startLatchkey } from '../../support/latchkey.ts';

const { database, deps, logged } = await startLatchkey();
await database.query(`
  create table theirs (id bigint, fault text, disabled text default 'false');
  create index on theirs (id);
  create function maybe(fault text) returns text language plpgsql as $$ begin
    if fault = 'sleep' then perform pg_sleep(5); end if;
    return 1 / (case fault when 'error' then 0 else 1 end);
  end $$;
  create view latchkey_accounts as
  select id as subject, 'p' || id as username, null as email, true as email_verified, maybe(fault) as name, null as password_hash, disabled
  from theirs`);

const holder = randomUUID();
const compare = () => compareRound(deps, holder);

/** As many people as that, both there and here. */
async function fill(count: number, first = '1'): Promise<void> {
  await database.query('insert into theirs (id) select generate_series($2::bigint, $2::bigint + $1 - 1)', [
    count,
    first,
  ]);
  await database.query(
    `insert into users (username, subject, source) select 'p' || id, id::text, 'view' from theirs order by theirs.id`,
  );
}
/** What is logged by one round. */
async function compareAndRead(): Promise<string> {
  const from = logged.length;
  await compare();
  return logged.slice(from).join('');
}
const disabled = async (): Promise<string[]> =>
  (await database.query('select subject from users where disabled_at is not null order by user_id')).rows.map(
    ({ subject }) => subject,
  );
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => String(from + at));

beforeEach(async () => {
  await database.query(
    `delete from users where source = 'view'; truncate theirs; update view_comparison set after_user = 0`,
  );
});

test('an empty view disables nobody, neither on a full page nor among the few on the last one', async () => {
  await fill(1005);
  await database.query('truncate theirs');
  const from = logged.length;
  await compare();
  assert.deepEqual(await disabled(), []);
  assert.match(logged.slice(from).join(''), /"missing":500,"of":500.*so nobody was disabled/);
  await database.query('insert into theirs (id) select generate_series(1, 1004)');
  await compare();
  assert.deepEqual(await disabled(), ['1005'], 'the one who is really gone');
});

for (const count of [2, 9]) {
  test(`an empty view disables nobody of ${count} people, and one of them who is gone`, async () => {
    await fill(count);
    await database.query('truncate theirs');
    await compare();
    assert.deepEqual(await disabled(), []);
    await database.query('insert into theirs (id) select generate_series(2, $1::integer)', [count]);
    await compare();
    assert.deepEqual(await disabled(), ['1']);
  });
}

test('the only person of the view is disabled with the row', async () => {
  await fill(1);
  await database.query('truncate theirs');
  await compare();
  assert.deepEqual(await disabled(), ['1']);
});

test('most people gone counts as a broken view, wherever their pages begin and end', async () => {
  await fill(1300);
  await database.query('delete from theirs where id % 10 < 6');
  await compare();
  assert.deepEqual(await disabled(), []);
});

test('a minority that is gone is disabled, even if it fills a page, and is back with its rows', async () => {
  await fill(2600);
  await database.query('delete from theirs where id <= 1000');
  await compare();
  assert.deepEqual(await disabled(), numbers(1, 1000));
  await database.query('insert into theirs (id) select generate_series(1, 1000)');
  await compare();
  assert.deepEqual(await disabled(), []);
});

test('new names of everybody keep nobody from being disabled, however slowly they are stored', async () => {
  await fill(250);
  await database.query(`
    create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.02); return new; end $$;
    create trigger slow before update of name on users for each row when (new.name <> '') execute function slow();
    update theirs set disabled = 'true' where id = 7`);
  await compare();
  assert.deepEqual(await disabled(), ['7']);
  const named = async () => (await database.query(`select from users where name = '1'`)).rowCount ?? 0;
  const first = await named();
  assert.ok(first > 0);
  await compare();
  assert.ok((await named()) > first, 'the next round goes on');
  await database.query('drop function slow cascade');
});

for (const fault of ['error', 'sleep']) {
  test(`nobody is disabled as long as a part of the view cannot be read: ${fault}`, async () => {
    await fill(1200);
    await database.query('delete from theirs where id in (3, 1150)');
    await database.query('update theirs set fault = $1 where id > 1100', [fault]);
    await assert.rejects(compare());
    assert.deepEqual(await disabled(), []);
    await database.query('update theirs set fault = null');
    await compare();
    assert.deepEqual(await disabled(), ['3', '1150']);
  });
}

test('subjects of nineteen digits are looked for, and one that the column cannot have is not gone', async () => {
  await fill(3, '9000000000000000000');
  await database.query(`insert into theirs (id) values (-9223372036854775808), (9223372036854775807)`);
  const others = ['9223372036854775808', '99999999999999999999', '-9223372036854775809', '007', '+7', 'abc'];
  await database.query(
    `insert into users (username, subject, source)
     select 'q' || subject, subject, 'view' from unnest(array['-9223372036854775808', '9223372036854775807'] || $1) subject`,
    [others],
  );
  await compare();
  assert.deepEqual(await disabled(), []);
  await database.query(`update theirs set disabled = 'true' where id = 9223372036854775807`);
  await database.query('delete from theirs where id = 9000000000000000001');
  await compare();
  assert.deepEqual(await disabled(), ['9000000000000000001', '9223372036854775807']);
});

test('a view that was dropped a moment ago has no gone people', async () => {
  await fill(3);
  await database.query('alter view latchkey_accounts rename to elsewhere');
  await compare();
  await database.query('alter view elsewhere rename to latchkey_accounts');
  assert.deepEqual(await disabled(), []);
  await database.query('delete from theirs where id = 2');
  await compare();
  assert.deepEqual(await disabled(), ['2']);
});

for (const [word, spelt] of [
  [null, 'null'],
  ['inactive', 'an unknown word'],
] as const) {
  test(`a view that says ${spelt} of everybody disables nobody, and of a few these, until it says false`, async () => {
    await fill(1100);
    await database.query('update theirs set disabled = $1', [word]);
    assert.match(await compareAndRead(), /"missing":500,"of":500.*so nobody was disabled/);
    assert.deepEqual(await disabled(), []);
    await database.query(`update theirs set disabled = 'false' where id > 5`);
    await compare();
    assert.deepEqual(await disabled(), numbers(1, 5));
    await database.query(`update theirs set disabled = 'false'`);
    await compare();
    assert.deepEqual(await disabled(), []);
  });
}

test('people without a row and people without a known word are counted together', async () => {
  await fill(20);
  await database.query('delete from theirs where id <= 6; update theirs set disabled = null where id between 7 and 12');
  await compare();
  assert.deepEqual(await disabled(), []);
});

test('a view that says true of everybody means it', async () => {
  await fill(12);
  await database.query(`update theirs set disabled = 'true'`);
  await compare();
  assert.deepEqual(await disabled(), numbers(1, 12));
});

test('a person with two rows is disabled as soon as one of them says so, and the log names that person', async () => {
  await fill(12);
  await database.query(`insert into theirs (id, disabled) values (2, 'false'), (3, 'true'), (4, null)`);
  const log = await compareAndRead();
  assert.match(log, /"subjects":\["2","3","4"\].*several rows of a subject/);
  assert.deepEqual(await disabled(), ['3', '4']);
  await database.query(`update theirs set disabled = 'false'`);
  await compare();
  assert.deepEqual(await disabled(), ['3', '4'], 'two rows bring nobody back');
  await database.query('delete from theirs where ctid not in (select min(ctid) from theirs group by id)');
  assert.doesNotMatch(await compareAndRead(), /several rows/);
  assert.deepEqual(await disabled(), []);
});

test('two rows of everybody keep nobody from being disabled', async () => {
  await fill(1200);
  await database.query('insert into theirs (id) select id from theirs');
  await database.query(`update theirs set disabled = 'true' where id in (5, 1150)`);
  await database.query('delete from theirs where id = 6');
  await compare();
  assert.deepEqual(await disabled(), ['5', '6', '1150']);
});
