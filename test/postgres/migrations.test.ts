import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { applyMigrations, applySeed, findMigrationState } from '../../src/postgres/migrations.ts';
import { createDatabase } from '../support/database.ts';

const scratch = mkdtempSync(join(tmpdir(), 'latchkey-migrations-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

function directoryOf(files: Record<string, string | Buffer>): string {
  const directory = mkdtempSync(join(scratch, 'migrations-'));
  mkdirSync(join(directory, 'functions'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return directory;
}

const emptyDatabase = () => connect({ migrated: false });

async function connect(state: { migrated: boolean }) {
  const connectionString = await createDatabase(state);
  const ask = async (text: string) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    const { rows } = await client.query({ text, rowMode: 'array' });
    await client.end();
    return rows.flat();
  };
  const tables = () => ask(`select tablename::text from pg_tables where schemaname = 'public' order by 1`);
  return { address: { connectionString }, ask, tables };
}

const first = 'create table ones (number integer);\ninsert into ones values (1);\n';

test('missing migrations are applied in order and recorded', async () => {
  const { address, ask } = await emptyDatabase();
  const directory = directoryOf({
    '002_two.sql': 'insert into ones values (2);',
    '001_one.sql': first,
    'notes.txt': '',
  });
  assert.deepEqual(
    (await applyMigrations(address, directory)).map(({ name }) => name),
    ['001_one.sql', '002_two.sql'],
  );
  assert.deepEqual(await applyMigrations(address, directory), []);
  writeFileSync(join(directory, '003_three.sql'), 'insert into ones values (3);');
  const { pending } = await findMigrationState(address, directory);
  assert.deepEqual(
    pending.map(({ name }) => name),
    ['003_three.sql'],
  );
  await applyMigrations(address, directory);
  assert.deepEqual(await ask('select number from ones order by 1'), [1, 2, 3]);
  assert.deepEqual(await ask('select name from migrations order by number'), [
    '001_one.sql',
    '002_two.sql',
    '003_three.sql',
  ]);
});

test('a failing migration leaves the database unchanged and is reported with its line; once fixed, it is applied [F15]', async () => {
  const { address, ask, tables } = await emptyDatabase();
  const broken = 'create table twos (number integer);\n\ninsert into twos\nvalues (1), (nonsense);\n';
  const directory = directoryOf({ '001_one.sql': first, '002_two.sql': broken, '003_three.sql': 'select 1;' });
  await assert.rejects(applyMigrations(address, directory), /^Error: 002_two\.sql, line 4: .*"nonsense"/);
  assert.deepEqual(await tables(), ['migrations', 'ones']);
  assert.deepEqual(await ask('select number from migrations'), [1]);
  writeFileSync(join(directory, '002_two.sql'), broken.replace('nonsense', '2'));
  assert.equal((await applyMigrations(address, directory)).length, 2);
  assert.deepEqual(await ask('select number from twos'), [1, 2]);
});

test('many concurrent processes apply each migration once [F14]', async () => {
  const directory = directoryOf({
    '001_one.sql': `${first}select pg_sleep(0.05);`,
    '002_two.sql': 'insert into ones values (2);',
  });
  for (let round = 0; round < 5; round += 1) {
    const { address, ask } = await emptyDatabase();
    const applied = await Promise.all(Array.from({ length: 8 }, () => applyMigrations(address, directory)));
    assert.deepEqual(
      applied
        .flat()
        .map(({ name }) => name)
        .sort(),
      ['001_one.sql', '002_two.sql'],
    );
    assert.deepEqual(await ask('select number from ones order by 1'), [1, 2]);
  }
});

test('a process that waits for its turn does not keep the other one from building an index concurrently', {
  timeout: 120_000,
}, async () => {
  const { address, ask } = await emptyDatabase();
  const directory = directoryOf({ '001_one.sql': first });
  await applyMigrations(address, directory);
  const index = '-- Each statement by itself.\ncreate index concurrently on ones (number);\n';
  writeFileSync(join(directory, '002_index.sql'), index);
  const writer = new pg.Client(address);
  await writer.connect();
  await writer.query('begin; insert into ones values (2)');
  const reached = async (query: string) => {
    const others = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
    while (!(await ask(`select exists (select ${others} and query ~ '${query}')`))[0]) await pause(20);
  };
  // the index waits for the writer, so the second process waits for its turn before the index is built
  const migrating = [applyMigrations(address, directory)];
  await reached('index concurrently');
  migrating.push(applyMigrations(address, directory));
  await reached('advisory|^rollback');
  await writer.query('commit');
  const applied = (await Promise.all(migrating)).map((files) => files.map(({ name }) => name));
  assert.deepEqual(applied, [['002_index.sql'], []]);
  await writer.end();
});

test('migrations of a newer version are left alone [F16]', async () => {
  const { address } = await emptyDatabase();
  await applyMigrations(address, directoryOf({ '001_one.sql': first, '002_two.sql': 'select 2;' }));
  const older = directoryOf({ '001_one.sql': first });
  assert.deepEqual(await findMigrationState(address, older), { pending: [], functions: [], unknown: ['002_two.sql'] });
  assert.deepEqual(await applyMigrations(address, older), []);
});

test('a database of before 1.0.0, which has other migrations under these numbers, is refused and stays as it is', async () => {
  const { address, tables } = await emptyDatabase();
  await applyMigrations(address, directoryOf({ '001_people_and_clients.sql': first, '097_clock.sql': 'select 2;' }));
  const ours = directoryOf({ '001_people.sql': 'create table people ();' });
  const sentence = /^Error: This database is of a version before 1\.0\.0 \(it has 001_people_and_clients\.sql\)/;
  await assert.rejects(applyMigrations(address, ours), sentence);
  assert.deepEqual(await tables(), ['migrations', 'ones']);
});

test('two migrations with the same number are refused', async () => {
  const { address, tables } = await emptyDatabase();
  const directory = directoryOf({ '001_one.sql': first, '001_other.sql': 'select 1;' });
  await assert.rejects(applyMigrations(address, directory), /001_other\.sql: another migration has the same number/);
  assert.deepEqual(await tables(), []);
});

const twice = (factor: number, parameters = 'n integer') =>
  `create or replace function twice(${parameters}) returns integer language sql as 'select ${factor} * n';`;

test('a function is redefined when its file has changed, and only then', async () => {
  const { address, ask } = await emptyDatabase();
  const directory = directoryOf({ '001_one.sql': first, 'functions/twice.sql': twice(3) });
  const apply = async () => (await applyMigrations(address, directory)).map(({ name }) => name);
  assert.deepEqual(await apply(), ['001_one.sql', 'twice']);
  assert.deepEqual(await apply(), []);
  writeFileSync(join(directory, 'functions/twice.sql'), twice(2));
  assert.deepEqual(
    (await findMigrationState(address, directory)).functions.map(({ name }) => name),
    ['twice'],
  );
  assert.deepEqual(await apply(), ['twice']);
  assert.deepEqual(await ask('select twice(4)'), [8]);
});

test('a function with changed arguments replaces the earlier one, instead of overloading it', async () => {
  const { address, ask } = await emptyDatabase();
  const directory = directoryOf({ 'functions/twice.sql': twice(2) });
  await applyMigrations(address, directory);
  writeFileSync(join(directory, 'functions/twice.sql'), twice(2, 'n integer, unit text default null'));
  await applyMigrations(address, directory);
  assert.deepEqual(await ask('select twice(4)'), [8]);
});

test('an older version that starts beside a newer one does not overwrite the newer functions', async () => {
  const { address, ask } = await emptyDatabase();
  const older = directoryOf({ 'functions/twice.sql': twice(3) });
  await applyMigrations(address, older);
  await applyMigrations(address, directoryOf({ 'functions/twice.sql': twice(2) }));
  assert.deepEqual(await applyMigrations(address, older), []);
  assert.deepEqual(await ask('select twice(4)'), [8]);
});

test('many concurrent processes define each function once', async () => {
  const { address } = await emptyDatabase();
  const directory = directoryOf({ 'functions/twice.sql': twice(2) });
  const applied = await Promise.all(Array.from({ length: 8 }, () => applyMigrations(address, directory)));
  assert.deepEqual(
    applied.flat().map(({ name }) => name),
    ['twice'],
  );
});

test('a seed is applied in one transaction, even when it contains begin and commit', async () => {
  const { address, ask } = await connect({ migrated: true });
  const directory = directoryOf({
    'first.sql': first,
    'seed.sql': 'begin;\ninsert into ones values (2);\ncommit;\n',
    'wrong.sql':
      '-- all\nbegin;\ninsert into ones values (3);\n\ninsert into ones\nvalues (4);\ninsert into nowhere values (1);\ncommit;\n',
    'latin.sql': Buffer.from("select 'Jos\xe9';", 'latin1'),
  });
  await applySeed(address, join(directory, 'first.sql'));
  await applySeed(address, join(directory, 'seed.sql'));
  const refused = (name: string, reason: RegExp) => assert.rejects(applySeed(address, join(directory, name)), reason);
  await refused('wrong.sql', /wrong\.sql, line 7: relation "nowhere" does not exist/);
  await refused('latin.sql', /latin\.sql is not UTF-8/);
  await refused('missing.sql', /missing\.sql cannot be read: ENOENT/);
  assert.deepEqual(await ask('select number from ones order by 1'), [1, 2]);
});

test('semicolons within strings and comments do not split a file into wrong statements', async () => {
  const { address, ask } = await connect({ migrated: true });
  const file = `
    /* one /* two; */ still a comment; */
    create function f1() returns text language sql as $f1$ select 'a;b'::text; $f1$;
    create function f2() returns integer language sql begin atomic; select 1; select 2; end;
    create table "c;d" (" e;--" text default E'\\';');
    insert into "c;d" default values;
    create table endings (x text default U&'!0061;' uescape '!', y text default $$;$$)`;
  await applySeed(address, join(directoryOf({ 'all.sql': file }), 'all.sql'));
  assert.deepEqual(
    await ask('select f1(), f2(), (select " e;--" from "c;d"), (select count(*)::integer from endings)'),
    ['a;b', 2, "';", 0],
  );
});

test('a file cannot end the transaction in which it is applied', async () => {
  const { address, ask } = await connect({ migrated: true });
  for (const end of ['commit', 'end', 'rollback', 'abort', 'savepoint here', 'begin', "prepare transaction 'x'"]) {
    const path = join(directoryOf({ 'seed.sql': `create table ones ();\n${end};\nselect 1;` }), 'seed.sql');
    await assert.rejects(
      applySeed(address, path),
      /seed\.sql, line 2: a file is applied as a whole, so it cannot begin or end a/,
      end,
    );
    assert.deepEqual(await ask(`select to_regclass('ones') is null`), [true]);
  }
});

test('a failure is reported with its line if Postgres knows it, and with the rejected value if a function raised it', async () => {
  const { address } = await connect({ migrated: true });
  const refused = (text: string, reason: RegExp) =>
    assert.rejects(applySeed(address, join(directoryOf({ 'seed.sql': text }), 'seed.sql')), reason);
  await refused(`select '😀😀',\r\n  '😀\n', nonsense;`, /^Error: seed\.sql, line 3: column "nonsense" does not exist/);
  await refused(`select 1;\n\\i other.sql\n`, /^Error: seed\.sql, line 2: \\i is a command of psql and no SQL$/);
  await refused(
    `create table ones ();\ncopy ones from stdin;`,
    /^Error: seed\.sql, line 2: .* nor copy from standard input$/,
  );
  await refused(
    `do $$ begin raise 'no value %', 7 using hint = 'Try 8.'; end $$`,
    /seed\.sql, line 1: no value 7 \(Try 8\.\)$/,
  );
});
