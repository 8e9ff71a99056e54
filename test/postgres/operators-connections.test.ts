import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../src/postgres/database.ts';
import { createOperatorsConnections } from '../../src/postgres/operators-connections.ts';
import { createDatabase } from '../support/database.ts';

const database = openDatabase({ connectionString: await createDatabase({ migrated: false }) }, 4);
after(() => database.end());

const withConnection = createOperatorsConnections({
  size: 2,
  longest: 100,
  longestSilence: 400,
  turns: { longestWait: 100 },
  settings: { statement_timeout: '50ms' },
});

// as one over a foreign server that has stopped: it neither ends when it is cancelled nor notices that nobody waits for it any more
await database.query(`
  create table answers (text text);
  create function silent() returns text language plpgsql as $$
    begin
      while not exists (select from answers) loop
        begin
          perform pg_sleep(0.05);
        exception when query_canceled then null;
        end;
      end loop;
      return 'late';
    end $$`);

const silentOnes = async () => {
  const { rows } = await database.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and state = 'active' and query like 'select silent%' order by pid`,
  );
  return rows.map(({ pid }) => pid);
};

const ask = (statement: string) => withConnection(database, (own) => own.query(statement));

test('a statement that nothing ends keeps its turn for as long as the database works on it, and no longer', async () => {
  for (let round = 0; round < 2; round += 1) await assert.rejects(ask('select silent()'), /no answer within 100 ms/);
  let first = await silentOnes();
  // a connection can be there only after the answer to its statement was given up
  for (; first.length < 2; first = await silentOnes()) await pause(20);
  assert.equal(first.length, 2);
  // several times as long as until the connections are given up
  for (const end = Date.now() + 1600; Date.now() < end; await pause(50)) await assert.rejects(ask('select silent()'));
  assert.deepEqual(await silentOnes(), first, 'no other connections have taken their place');

  await database.query(`insert into answers values ('now')`);
  const answered = Date.now();
  while ((await silentOnes()).length > 0) await pause(20);
  for (;;) {
    const answer = await ask(`select 'fine' as text`).catch(() => undefined);
    if (answer) break;
    assert.ok(Date.now() - answered < 5000, 'nobody got a turn again');
    await pause(50);
  }
});

test('a turn ends with a connection that was lost', async () => {
  const withOne = createOperatorsConnections({
    size: 1,
    longest: 60_000,
    turns: { longestWait: 30_000 },
    settings: { statement_timeout: '30s' },
  });
  await assert.rejects(withOne(database, (own) => own.query('select pg_terminate_backend(pg_backend_pid())')));
  const { rows } = await withOne(database, (own) => own.query(`select 'a' as text`));
  assert.deepEqual(rows, [{ text: 'a' }]);
});
