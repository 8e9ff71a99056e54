// ci: upgrades from the previous release
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { locksOf } from '../../src/postgres/migration-locks.ts';
import { applyMigrations, listMigrations, statementsIn } from '../../src/postgres/migrations.ts';
import { readSqlFile, runSqlFile } from '../../src/postgres/sql-file.ts';
import { createDatabase } from '../support/database.ts';
import { getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { startWithPrinter } from '../support/latchkey.ts';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'latchkey-migration-locks-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** The migrations of this version with one more. */
function withMigration(name: string, sql: string): string {
  const directory = mkdtempSync(join(scratch, 'migrations-'));
  cpSync(migrations, directory, { recursive: true });
  writeFileSync(join(directory, name), sql);
  return directory;
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  // the database may be dropped first
  client.on('error', () => {});
  await client.connect();
  after(() => client.end());
  return client;
}

const latchkey = await startWithPrinter();
const { origin, database, url } = latchkey;
const address = { connectionString: url };
const browser = await signedInBrowser(origin);

/** The requests of an application until the work is done; none of them fails. */
async function underTraffic<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const settled = work.finally(() => {
    isDone = true;
  });
  const traffic = async () => {
    const { body } = await redeem(origin, await obtainCode(browser));
    let tokens = body;
    do {
      assert.equal((await getUser(origin, tokens['access_token'])).status, 200);
      const answer = await refresh(origin, tokens['refresh_token']);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      tokens = answer.body;
    } while (!isDone);
  };
  const [result] = await Promise.all([settled, traffic()]);
  return result;
}

test('a migration withdraws from locks that a long transaction keeps from it, and requests are served meanwhile', async () => {
  const long = await connect(url);
  await long.query('begin; select count(*) from clients; select count(*) from users');
  const directory = withMigration(
    '991_two_tables.sql',
    `alter table clients add column note text;\nalter table users add column note text;`,
  );
  const said: string[] = [];
  const migrating = applyMigrations(address, directory, { announce: (message) => said.push(message) });
  await underTraffic(
    (async () => {
      while (said.length < 3) await pause(20);
    })(),
  );
  assert.match(
    said[0] ?? '',
    /^991_two_tables\.sql waits for a lock that another transaction holds, and tries again\.$/,
  );
  await long.query('commit');
  const applied = await underTraffic(migrating);
  assert.deepEqual(
    applied.map(({ name }) => name),
    ['991_two_tables.sql'],
  );
});

test('a migration that gets its locks one by one is over after one time limit, so that it holds the first no longer', async () => {
  const long = await connect(url);
  await long.query('begin; select count(*) from users');
  const waiting = await connect(url);
  const directory = withMigration(
    '992_locked.sql',
    'alter table clients add column memo text;\nalter table users add column memo text;',
  );
  await assert.rejects(
    applyMigrations(address, directory, { announce: () => {}, patience: 0 }),
    /^Error: 992_locked\.sql: another transaction holds a lock on its tables; nothing was changed\./,
  );
  await long.query('commit');
  const { rows } = await waiting.query(`select from information_schema.columns where column_name = 'memo'`);
  assert.equal(rows.length, 0);
});

test('a file that says so is applied statement by statement, so that it can build an index without blocking', async () => {
  const directory = withMigration(
    '993_index.sql',
    `-- Each statement by itself.
drop index concurrently if exists users_by_email;
create index concurrently users_by_email on users (email);
alter table users add column if not exists nickname text;
`,
  );
  const applied = await underTraffic(applyMigrations(address, directory));
  assert.deepEqual(
    applied.map(({ name }) => name),
    ['993_index.sql'],
  );
  const { rows } = await database.query(
    `select indisvalid from pg_index where indexrelid = 'users_by_email'::regclass`,
  );
  assert.deepEqual(rows, [{ indisvalid: true }]);
  const broken = withMigration('994_broken.sql', '-- Each statement by itself.\nselect 1;\nselect nonsense;\n');
  await assert.rejects(applyMigrations(address, broken), /^Error: 994_broken\.sql: column "nonsense" does not exist$/);
});

test('the index of the page of a user is built of each partition without blocking, and again after half a build', async () => {
  const fresh = await createDatabase({ migrated: false });
  const files = await listMigrations(migrations);
  const activity = '023_undoing_and_activity.sql';
  const earlier = files.flatMap(({ name }) => (name < activity ? [name] : []));
  const at = { connectionString: fresh };
  await applyMigrations(at, migrations, { announce: () => {}, only: earlier });
  const client = await connect(fresh);
  await client.query('create index audit_events_rest_for_person on audit_events_rest (user_id)');
  await client.query(
    "update pg_index set indisvalid = false where indexrelid = 'audit_events_rest_for_person'::regclass",
  );
  const [early, other] = [await connect(fresh), await connect(fresh)];
  const write = "insert into audit_events (event, request_id) values ('signed_in', 'r')";
  await early.query(`begin; ${write}`);
  const migrating = applyMigrations(at, migrations, { announce: () => {}, only: [activity] });
  const isWaiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  while ((await client.query(isWaiting)).rowCount === 0) await pause(5);
  // it waits for the transaction that has written; those that write now do not wait for it
  await other.query("set lock_timeout = '200ms'");
  for (let writes = 0; writes < 20; writes += 1) await other.query(write).then(() => pause(20));
  await early.query('commit');
  await migrating;
  const { rows } = await client.query(
    `select indrelid::regclass::text as name, indisvalid, pg_get_expr(indpred, indrelid) like '%account_secured%' as has_new
     from pg_index where indexrelid::regclass::text like '%for_person' order by 1`,
  );
  assert.deepEqual(
    rows.map(({ name, indisvalid, has_new }) => [name, indisvalid, has_new]),
    [
      ['audit_events', true, true],
      ['audit_events_first', true, true],
      ['audit_events_rest', true, true],
    ],
  );
});

test('the plan names the locks that each migration really takes', async () => {
  const client = await connect(await createDatabase({ migrated: false }));
  const files = await listMigrations(migrations);
  for (const { path, name, earlier } of files) {
    const text = await readSqlFile(path);
    // each of its statements waits for its locks by itself
    if (text.startsWith('-- Each statement by itself.')) {
      for (const { statement, makesStatements } of statementsIn(text)) {
        const { rows } = await client.query({ text: statement, rowMode: 'array' });
        for (const made of makesStatements ? rows.flat() : []) await client.query(made);
      }
      continue;
    }
    const { rows: existing } = await client.query(`select oid from pg_class where relkind in ('r', 'p')`);
    await client.query('begin');
    await runSqlFile(client, path);
    const { rows } = await client.query(
      `select pg_class.relname::text as table, pg_locks.mode
       from pg_locks
       join pg_class on pg_class.oid = pg_locks.relation
       where pid = pg_backend_pid()
         and pg_class.oid = any ($1)
         and relnamespace = 'public'::regnamespace
         and not relispartition
         and mode not in ('AccessShareLock', 'RowShareLock')`,
      [existing.map(({ oid }) => oid)],
    );
    await client.query('commit');
    const planned = await locksOf(path, earlier);
    assert.deepEqual(planned, strongestOf(rows), name);
  }
});

const strength = [
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'AccessExclusiveLock',
];

/** In the words and the order of the plan. */
function strongestOf(rows: { table: string; mode: string }[]): { table: string; mode: string }[] {
  const modes = new Map<string, string>();
  for (const { table, mode } of rows) {
    if (strength.indexOf(mode) > strength.indexOf(modes.get(table) ?? '')) modes.set(table, mode);
  }
  const words = (mode: string) =>
    mode
      .replace('Lock', '')
      .replaceAll(/\B[A-Z]/g, ' $&')
      .toUpperCase();
  return [...modes].sort().map(([table, mode]) => ({ table, mode: words(mode) }));
}
