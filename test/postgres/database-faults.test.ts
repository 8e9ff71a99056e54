import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import pg from 'pg';
import { createApp } from '../../src/app.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { freshTokens } from '../support/attack.ts';
import { replaceConnections } from '../support/database.ts';
import { getUser, obtainCode, redeem, refresh, signedInBrowser, type TokenAnswer } from '../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const latchkey = await startLatchkey();
const { origin, database, url } = latchkey;
await registerPeople(database);
await registerPrinter(database);
const browser = await signedInBrowser(origin);

test('killed database connections cause 503 at most, never a wrong refusal, and lose nothing [F1]', async () => {
  const { access_token, refresh_token } = await freshTokens(origin, browser, {});
  const code = await obtainCode(browser);
  const killer = new pg.Client({ connectionString: url });
  await killer.connect();
  let killed = 0;
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      if (index % 20 === 10) {
        const { rowCount } = await killer.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
        killed += rowCount ?? 0;
      }
      return getUser(origin, access_token);
    }),
  );
  await killer.end();
  assert.ok(killed > 0);
  for (const { status } of answers) assert.ok(status === 200 || status === 503, String(status));
  assert.equal((await untilAvailable(() => getUser(origin, access_token))).status, 200);
  assert.equal((await untilAvailable(() => redeem(origin, code))).status, 200);
  assert.equal((await untilAvailable(() => refresh(origin, refresh_token))).status, 200);
  await replaceConnections(database);
});

/** Postgres may take a while to end the sessions that were killed, and each of those answers one more request with 503. */
async function untilAvailable(ask: () => Promise<TokenAnswer>): Promise<TokenAnswer> {
  const answer = await ask();
  return answer.status === 503 ? untilAvailable(ask) : answer;
}

test('an exhausted pool answers 503 in time, and no request holds one connection while it waits for another [F5]', async (t) => {
  const small = openDatabase({ connectionString: url }, 2);
  const server = createServer(createApp({ ...latchkey.deps, database: small })).listen(0, '127.0.0.1');
  t.after(async () => {
    server.close();
    server.closeAllConnections();
    await small.end();
  });
  await once(server, 'listening');
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { access_token } = await freshTokens(origin, browser, {});
  const { connectionTimeoutMillis } = small.options;
  // for the hundred, so that a busy machine passes; not for the one after them
  small.options.connectionTimeoutMillis = 60_000;
  const many = await Promise.all(Array.from({ length: 100 }, () => getUser(at, access_token)));
  assert.ok(
    many.every(({ status }) => status === 200),
    'two connections are enough for a hundred',
  );

  const holders = await Promise.all([small.connect(), small.connect()]);
  small.options.connectionTimeoutMillis = connectionTimeoutMillis;
  const start = performance.now();
  const { status, headers, body } = await getUser(at, access_token);
  for (const holder of holders) holder.release();
  assert.deepEqual([status, body['error'], headers.get('retry-after')], [503, 'temporarily_unavailable', '5']);
  // after two seconds, if the machine has nothing else to do
  assert.ok(performance.now() - start < 30_000);
  assert.equal((await getUser(at, access_token)).status, 200);
});

test('a locked row causes 503 in time, and the code stays valid [F20]', async () => {
  const code = await obtainCode(browser);
  const holder = await database.connect();
  await holder.query('begin');
  await holder.query('select from authorization_codes for update');
  const start = performance.now();
  const { status, body } = await redeem(origin, code);
  assert.deepEqual([status, body['error']], [503, 'temporarily_unavailable']);
  // after half a second, three times
  assert.ok(performance.now() - start < 30_000);
  await holder.query('rollback');
  holder.release();
  assert.equal((await redeem(origin, code)).status, 200);
});

test('a deadlock or serialization failure is retried instead of answered [F21]', async () => {
  const code = await obtainCode(browser);
  await database.query(`create sequence failures; create function fail_once() returns trigger language plpgsql as $$
    begin if nextval('failures') < 3 then raise exception 'again' using errcode = '40P01'; end if; return new; end $$`);
  await database.query('create trigger fail before insert on access_tokens for each row execute function fail_once()');
  const answer = await redeem(origin, code);
  await database.query('drop trigger fail on access_tokens');
  assert.equal(answer.status, 200);
});

test('a statement that fails half-way leaves the code unchanged [F6]', async () => {
  const code = await obtainCode(browser);
  await database.query('alter table access_tokens add constraint never check (false) not valid');
  const failed = await redeem(origin, code);
  await database.query('alter table access_tokens drop constraint never');
  assert.deepEqual([failed.status, failed.body['error']], [500, 'server_error']);
  assert.match(String(failed.body['error_description']), /^an unexpected error occurred/);
  const { rows } = await database.query(
    'select count(*)::integer as orphans from access_tokens t left join authorization_codes c using (code_id) where c.redeemed_at is null',
  );
  assert.equal(rows[0].orphans, 0);
  assert.equal((await redeem(origin, code)).status, 200);
});

test('expiry follows the clock of the database, not of the process [F12]', async (t) => {
  const { access_token, refresh_token } = await freshTokens(origin, browser, {});
  const code = await obtainCode(browser);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 40 * 86_400_000 });
  assert.equal((await getUser(origin, access_token)).status, 200);
  assert.equal((await redeem(origin, code)).status, 200);
  assert.equal((await refresh(origin, refresh_token)).status, 200);
  t.mock.timers.reset();
});

test('after these faults the tables are consistent: one family per code [F10]', async () => {
  const strays = await database.query(
    'select from access_tokens t where not exists (select from authorization_codes c where c.code_id = t.code_id)',
  );
  assert.equal(strays.rows.length, 0);
});
