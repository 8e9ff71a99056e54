import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { keepAuditPartitions } from '../../src/audit/audit.sql.ts';
import { findEvents } from '../../src/audit/audit-search.sql.ts';
import { openDatabase, requestSettings } from '../../src/postgres/database.ts';
import { createDatabase } from '../support/database.ts';

async function open() {
  const address = { connectionString: await createDatabase({ migrated: true }) };
  // the middle of the month in which the database was made, so that no month ends during a test
  const database = openDatabase(address, 4, { ...requestSettings, search_path: 'frozen, pg_catalog, public' });
  after(() => database.end());
  await database.query(freeze);
  const ask = async (text: string) => (await database.query({ text, rowMode: 'array' })).rows.flat();
  /** An event and the partition it went to. */
  const write = async (event: string, at: string) =>
    (
      await ask(`insert into audit_events (event, request_id, happened_at) values ('${event}', 'r', ${at})
        returning tableoid::regclass::text`)
    )[0];
  const partitions = () => ask('select name from audit_partitions order by ends_at');
  /** A look at the partitions by a process that has the time of the database. */
  const keep = async (retention: number) => keepAuditPartitions(database, retention, (await ask('select now()'))[0]);
  /** As if somebody had looked a day ago. */
  const passADay = async (retention: number) => {
    assert.deepEqual(await keep(retention), []);
    await ask(`update overdue_audit_partitions set overdue_since = overdue_since - interval '1 day'`);
  };
  /** What is dropped at the second of two looks, between which a day passes. */
  const keepForADay = async (retention: number) => {
    await passADay(retention);
    return keep(retention);
  };
  /** The clock of the database, in comparison with the one of before. */
  const setClock = (ahead: string) => ask(freezeAt(`frozen.now() + interval '${ahead}'`));
  return { address, database, ask, write, partitions, keep, passADay, keepForADay, setClock };
}

const freezeAt = (time: string, source = '') => `do $$ begin
    execute (select format('create or replace function frozen.now() returns timestamptz language sql return %L::timestamptz', ${time}) ${source});
  end $$`;
const freeze = `create schema frozen;
  ${freezeAt(`ends_at - interval '15 days'`, "from audit_partitions where name = 'audit_events_first'")}`;

const month = (ahead: number) => `date_trunc('month', now() at time zone 'UTC') + interval '${ahead} months'`;

test('partitions exist for this month and the next three, however often and concurrently they are created', async () => {
  const { ask, write, partitions, keep } = await open();
  await Promise.all([keep(400), keep(400)]);
  const kept = await partitions();
  assert.equal(kept.length, 5);
  assert.deepEqual(await keep(400), []);
  assert.deepEqual(await partitions(), kept);
  assert.equal(await write('now', 'now()'), 'audit_events_first');
  const [next] = await ask(`select 'audit_events_' || to_char(${month(1)}, 'YYYY_MM')`);
  assert.equal(await write('at the first moment of the next', `(${month(1)}) at time zone 'UTC'`), next);
});

test('an event of a month without a partition is stored anyway, and its month stays together', async () => {
  const { write, partitions, keep } = await open();
  assert.equal(await write('far ahead', `(${month(2)} + interval '3 days') at time zone 'UTC'`), 'audit_events_rest');
  await keep(400);
  assert.equal((await partitions()).length, 4);
  assert.equal(await write('far ahead', `(${month(2)} + interval '4 days') at time zone 'UTC'`), 'audit_events_rest');
  assert.match(await write('further', `(${month(3)}) at time zone 'UTC'`), /^audit_events_\d{4}_\d\d$/);
});

test('a partition is dropped as a whole, a day after its last day is older than the retention, however long nothing has happened', async () => {
  const { database, ask, write, partitions, keep, keepForADay } = await open();
  await ask('alter table audit_events detach partition audit_events_first');
  await ask(
    "create table audit_events_2001_01 partition of audit_events for values from ('2001-01-01') to ('2001-02-01')",
  );
  assert.deepEqual(await keep(36_500), []);
  assert.equal(await write('old', "'2001-01-31'"), 'audit_events_2001_01');
  assert.equal(await write('late', "now() - interval '500 days'"), 'audit_events_rest');
  assert.match(await write('new', 'now()'), /^audit_events_\d{4}_\d\d$/);
  assert.deepEqual(await keepForADay(600), ['audit_events_2001_01']);
  assert.deepEqual(await keepForADay(400), ['audit_events_rest']);
  assert.ok((await partitions()).includes('audit_events_rest'));
  const { rows: left } = await findEvents(database, {}, undefined, 10);
  assert.deepEqual(
    left.map(({ event }) => event as string),
    ['new'],
  );
});

test('no partition can be edited, whether created later or addressed by its own name [A314]', async () => {
  const { database, ask, keep } = await open();
  await keep(400);
  const names = await ask("select relid::text from pg_partition_tree('audit_events')");
  assert.ok(names.length >= 6);
  for (const name of names) {
    for (const statement of [`update ${name} set event = 'x'`, `delete from ${name}`, `truncate ${name}`]) {
      await assert.rejects(database.query(statement), /append-only/, statement);
    }
  }
});

test('a transaction that reads the audit trail keeps old ones for the next run, and holds up no event [F35]', async () => {
  const { database, ask, write, partitions, keep, passADay } = await open();
  await ask('alter table audit_events detach partition audit_events_first');
  await ask(
    "create table audit_events_2001_01 partition of audit_events for values from ('2001-01-01') to ('2001-02-01')",
  );
  await write('old', "'2001-01-31'");
  await passADay(400);
  const reader = await database.connect();
  await reader.query('begin; select from audit_events');
  const writer = await database.connect();
  // longer than the upkeep waits, with room for a slow machine; without its limit an event would wait for the reader
  await writer.query("set lock_timeout = '10s'");
  const kept = assert.rejects(keep(400), ({ cause }) => /lock timeout/.test(String(cause)));
  for (let count = 0; count < 50; count += 1) {
    await writer.query("insert into audit_events (event, request_id, happened_at) values ('meanwhile', 'r', now())");
  }
  await kept;
  assert.equal((await reader.query("select from audit_events where event = 'old'")).rowCount, 1);
  await reader.query('commit');
  for (const client of [reader, writer]) client.release(true);
  assert.deepEqual(await keep(400), ['audit_events_2001_01']);
  assert.equal((await partitions()).length, 5, 'this month and the next three, and the rest');
});

test('a run that is killed after it has dropped a partition leaves all events, and the next one drops them [F35]', async () => {
  const { database, ask, write, partitions, keep, passADay } = await open();
  await ask('alter table audit_events detach partition audit_events_first');
  await ask(
    "create table audit_events_2001_01 partition of audit_events for values from ('2001-01-01') to ('2001-02-01')",
  );
  await write('old', "'2001-01-31'");
  await write('late', "now() - interval '500 days'");
  await passADay(400);
  const killed = await database.connect();
  killed.on('error', () => {});
  await killed.query('begin');
  const { rows } = await killed.query('select keep_audit_partitions(400) as dropped, pg_backend_pid() as pid');
  assert.deepEqual(rows[0].dropped, ['audit_events_2001_01', 'audit_events_rest']);
  // another instance meanwhile: it neither waits nor drops
  assert.deepEqual(await keep(400), []);
  await ask(`select pg_terminate_backend(${rows[0].pid})`);
  // in whichever way the lost connection shows
  await assert.rejects(killed.query('commit'), /terminat|connection error|EPIPE|ECONNRESET/);
  killed.release(true);
  const left = async () => (await findEvents(database, {}, undefined, 10)).rows.map(({ event }) => event as string);
  assert.deepEqual(await left(), ['late', 'old']);
  assert.deepEqual(await keep(400), ['audit_events_2001_01', 'audit_events_rest']);
  assert.deepEqual(await left(), []);
  assert.equal((await partitions()).length, 5);
});

/** Opened with an event of fourteen months ago, which is within the retention, and one of now. */
async function openWithHistory() {
  const opened = await open();
  await opened.ask('alter table audit_events detach partition audit_events_first');
  await opened.ask(`select create_audit_partition(${month(-14)}), create_audit_partition(${month(0)})`);
  await opened.write('past', `(${month(-14)} + interval '1 day') at time zone 'UTC'`);
  await opened.write('present', 'now()');
  const left = async () =>
    (await findEvents(opened.database, {}, undefined, 10)).rows.map(({ event }) => event as string);
  return { ...opened, left };
}

test('a clock that is a year ahead deletes no event within a day, whoever looks how often, and whether or not anything happens [F37]', async () => {
  const { setClock, keep, write, left } = await openWithHistory();
  for (const events of [false, true]) {
    await setClock('1 year');
    if (events) await write('ahead', 'now()');
    for (let looks = 0; looks < 23; looks += 1) {
      assert.deepEqual(await keep(450), []);
      await setClock('1 hour');
    }
    await setClock('-1 year');
    assert.deepEqual(await keep(450), []);
    await setClock('-23 hours');
  }
  // what was found at the first look with the wrong clock counts for nothing at the next one
  await setClock('1 year 1 day');
  assert.deepEqual(await keep(450), []);
  assert.deepEqual(await left(), ['ahead', 'present', 'past']);
});

test('after a clock was a year ahead, each month gets its partition in time, and the retention goes on [F37]', async () => {
  const { setClock, keep, keepForADay, write, left, ask } = await openWithHistory();
  await setClock('1 year');
  await keep(450);
  await write('ahead', 'now()');
  await setClock('-1 year');
  await keep(450);
  for (let months = 1; months <= 4; months += 1) {
    const [name] = await ask(`select 'audit_events_' || to_char(${month(months)}, 'YYYY_MM')`);
    const where = await write('later', `(${month(months)}) at time zone 'UTC'`);
    assert.equal(where, months === 4 ? 'audit_events_rest' : name);
  }
  await setClock('2 months');
  const [past] = await ask(`select name from audit_partitions where starts_at > '-infinity' order by ends_at limit 1`);
  assert.deepEqual(await keepForADay(450), [past]);
  assert.ok(!(await left()).includes('past'));
});

test('events that were written with a clock of years ahead do not keep others beyond the retention [F37]', async () => {
  const { write, keepForADay, left } = await openWithHistory();
  await write('late', "now() - interval '500 days'");
  assert.equal(await write('ahead', "now() + interval '50 years'"), 'audit_events_rest');
  assert.deepEqual(await keepForADay(460), ['audit_events_rest']);
  assert.deepEqual(await left(), ['ahead', 'present', 'past']);
});

test('an instance whose clock differs from that of the database by more than an hour drops nothing, and another one does [F37]', async () => {
  const { database, ask, passADay, keep } = await openWithHistory();
  await passADay(400);
  const [now] = (await ask('select now()')) as [Date];
  for (const hours of [-2, 2, 24 * 365]) {
    assert.deepEqual(await keepAuditPartitions(database, 400, new Date(now.getTime() + hours * 3_600_000)), []);
  }
  assert.equal((await keep(400)).length, 1);
});
