import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createDatabase } from '../support/database.ts';
import { getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { startPgBouncer, withoutPgBouncer, withoutPreparedStatements } from '../support/pgbouncer.ts';
import { type LatchkeyProcess, seed, startProcess, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';

const seedFile = writeFile('seed.sql', seed);
const modes = [
  ['session mode', withoutPgBouncer, { pool_mode: 'session' }],
  ['transaction mode', withoutPreparedStatements, { pool_mode: 'transaction', max_prepared_statements: 100 }],
] as const;

async function query(url: string, text: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

/** What a session starts with is of no interest, nor what the pooler sets for its clients. */
const settingsOfSession = `select name, setting from pg_settings
  where source = 'session' and name not in ('application_name', 'client_encoding', 'extra_float_digits')`;

/** With a lock on every code, or a trigger that takes its time, whatever would redeem one has to wait. */
async function assertWaitsEnd(latchkey: LatchkeyProcess, url: string): Promise<void> {
  const { origin } = latchkey;
  const browser = await signedInBrowser(origin);
  const [first, second] = [await obtainCode(browser), await obtainCode(browser)];
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from authorization_codes for update');
  assert.equal((await redeem(origin, first)).status, 503);
  await latchkey.said(/canceling statement due to lock timeout/);
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  assert.equal((await holder.query(waiting)).rowCount, 0, 'no statement waits on');
  await holder.query('rollback');
  assert.equal((await redeem(origin, first)).status, 200);

  await holder.query(`create function sleep() returns trigger language plpgsql as
    $$ begin perform pg_sleep(20); return new; end $$`);
  await holder.query('create trigger sleep before insert on access_tokens for each row execute function sleep()');
  assert.equal((await redeem(origin, second)).status, 503);
  await latchkey.said(/canceling statement due to statement timeout/);
  await holder.query('drop trigger sleep on access_tokens');
  assert.equal((await redeem(origin, second)).status, 200);
  await holder.end();
}

for (const [mode, skip, settings] of modes) {
  test(`behind PgBouncer in ${mode} the server works, every wait has a timeout, and no session setting leaks`, {
    skip,
  }, async () => {
    const url = await createDatabase({ migrated: false });
    const pooled = await startPgBouncer(url, settings);
    const latchkey = await startServing({ DATABASE_URL: pooled, SEED_FILE: seedFile });
    const { origin } = latchkey;
    const browser = await signedInBrowser(origin);
    const families = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { body } = await redeem(origin, await obtainCode(browser, { prompt: 'consent' }));
        return (await refresh(origin, body['refresh_token'])).body;
      }),
    );
    const answers = await Promise.all(families.map((tokens) => getUser(origin, tokens['access_token'])));
    assert.ok(
      answers.every(({ status }) => status === 200),
      answers.map(({ status }) => status).join(' '),
    );
    await assertWaitsEnd(latchkey, url);
    await latchkey.kill();
    const sessions = await Promise.all(Array.from({ length: 20 }, () => query(pooled, settingsOfSession)));
    assert.deepEqual(sessions.flat(), []);
  });
}

const useless = [
  [
    'in transaction mode without max_prepared_statements',
    'transaction',
    withoutPreparedStatements ? {} : { max_prepared_statements: 0 },
  ],
  ['in session mode without server_reset_query', 'session', { server_reset_query: '' }],
] as const;

for (const [how, pool_mode, settings] of useless) {
  test(`the server refuses to start behind PgBouncer ${how}, and names the setting to change`, {
    skip: withoutPgBouncer,
  }, async () => {
    const url = await createDatabase();
    const latchkey = await startProcess({ DATABASE_URL: await startPgBouncer(url, { pool_mode, ...settings }) });
    assert.equal(await latchkey.exit, 1);
    assert.match(
      latchkey.output(),
      /^DATABASE_URL: the database cannot be used: the connection pooler loses prepared statements, .* max_prepared_statements .* pool_mode .*\n$/,
    );
  });
}

for (const [how, skip, settings] of [
  ['', withoutPgBouncer, {}],
  [' that keeps prepared statements', withoutPreparedStatements, { max_prepared_statements: 100 }],
] as const) {
  test(`the server refuses to start behind PgBouncer in statement mode${how}, and names the setting to change`, {
    skip,
  }, async () => {
    const pooled = await startPgBouncer(await createDatabase(), { pool_mode: 'statement', ...settings });
    const latchkey = await startProcess({ DATABASE_URL: pooled });
    assert.equal(await latchkey.exit, 1);
    assert.match(
      latchkey.output(),
      /^DATABASE_URL: the database cannot be used: the connection pooler allows no transactions: set its pool_mode from statement to transaction, .*\n$/,
    );
  });
}

test('the server waits for the Postgres behind a pooler, and logs the pooler’s message', {
  skip: withoutPgBouncer,
}, async () => {
  const nowhere = await startPgBouncer('postgres://postgres@127.0.0.1:9/nothing', {
    pool_mode: 'session',
    server_login_retry: 1,
  });
  const latchkey = await startProcess({ DATABASE_URL: nowhere });
  await latchkey.said(/Waiting for the database: \S/);
  await latchkey.kill();
});
