import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase, requestSettings } from '../../src/postgres/database.ts';
import { startSweeping } from '../../src/process/sweeping.ts';
import { watchClock } from '../../src/process/trusted-clock.ts';
import { countAttempt } from '../../src/store/attempt-limits.ts';
import { findDocument } from '../../src/store/client-documents.ts';
import { countedFamilies } from '../../src/telemetry/metric.ts';
import { freshTokens } from '../support/attack.ts';
import { createDatabase } from '../support/database.ts';
import { getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { startWithPrinter } from '../support/latchkey.ts';

const { origin, database, deps } = await startWithPrinter();

/** A database whose clock can be set, for the statements of this program; what columns have by default is of the real one. */
async function openWithClock(t: TestContext) {
  const url = await createDatabase();
  const clocked = openDatabase({ connectionString: url }, 4, {
    ...requestSettings,
    search_path: 'clock, pg_catalog, public',
  });
  t.after(() => clocked.end());
  const setClock = (ahead: string) =>
    clocked.query(`create schema if not exists clock; create or replace function clock.now() returns timestamptz
      language sql stable return pg_catalog.now() + interval '${ahead}'`);
  await setClock('0');
  return { database: clocked, setClock };
}

/** The machine of this process has the clock of the database, and its monotonic clock is at this many seconds. */
function mockClocks(t: TestContext) {
  const start = Date.now();
  t.mock.method(Date, 'now', () => start + ahead);
  t.mock.method(performance, 'now', () => passed);
  let [ahead, passed] = [0, 0];
  return (aheadSeconds: number, passedSeconds: number) => {
    [ahead, passed] = [aheadSeconds * 1000, passedSeconds * 1000];
  };
}

const year = 365 * 86_400;

test('a clock that jumps by a year for a minute, on the machine of the process too, is not trusted until it was right for an hour [F37]', async (t) => {
  const { database, setClock } = await openWithClock(t);
  const setBoth = mockClocks(t);
  const isTrusted = watchClock({ database, log: deps.log });
  const at = async (ahead: number, passed: number) => {
    await setClock(`${ahead} seconds`);
    setBoth(ahead, passed);
    return isTrusted();
  };
  assert.equal(await at(0, 0), true);
  assert.equal(await at(60, 60), true);
  assert.equal(await at(year, 120), false);
  assert.equal(await at(180, 180), false);
  for (let minute = 4; minute < 63; minute += 1) assert.equal(await at(minute * 60, minute * 60), false, `${minute}`);
  assert.equal(await at(63 * 60, 63 * 60), true);
  assert.equal(await at(3 * 60, 64 * 60), false, 'an hour back');
});

test('a restart within minutes does not cost trust, and an instance whose own clock differs has none [F37]', async (t) => {
  const { database, setClock } = await openWithClock(t);
  const setBoth = mockClocks(t);
  const look = () => watchClock({ database, log: deps.log })();
  assert.equal(await look(), true);
  await setClock('4 minutes');
  setBoth(240, 0);
  assert.equal(await look(), true);
  setBoth(240 + 7200, 0);
  assert.equal(await look(), false);
  setBoth(240, 0);
  assert.equal(await look(), true, 'the other one');
});

test('while the clock is a year ahead, no proof, token or session is deleted, and no key replaced [F37]', async (t) => {
  const { database, setClock } = await openWithClock(t);
  await database.query("insert into used_proofs values ('proof', pg_catalog.now() + interval '1 hour')");
  await database.query(
    `with person as (
       insert into users (username, password_bcrypt) values ('alice', '$2b$12$' || repeat('x', 53)) returning user_id)
     insert into sessions (sid_sha256, user_id, data) select 'session', user_id, '{}' from person`,
  );
  await database.query(
    "insert into signing_keys values ('key', '', '{}', '', pg_catalog.now(), pg_catalog.now() - interval '1 day')",
  );
  await setClock('1 year');
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const sweeping = startSweeping({ ...deps, database });
  t.mock.timers.tick(60_000);
  t.mock.timers.reset();
  sweeping.stop();
  while (refusedSweeps() === 0) await pause(10);
  const counts = `select (select count(*) from used_proofs)::integer as proofs, (select count(*) from sessions)::integer as sessions,
    (select count(*) from signing_keys)::integer as keys`;
  assert.deepEqual((await database.query(counts)).rows, [{ proofs: 1, sessions: 1, keys: 1 }]);
});

function refusedSweeps(): number {
  const sweeps = countedFamilies().find(({ name }) => name === 'latchkey_sweeps_total');
  return sweeps?.samples.find(({ labels }) => labels['outcome'] === 'refused')?.value ?? 0;
}

/** As if all that is stored had been made while the clock was ahead, and it was put back since. */
async function putClockBack(by: string): Promise<void> {
  const times: Record<string, string[]> = {
    authorization_codes: ['issued_at', 'expires_at', 'family_ends_at', 'refresh_issued_at', 'refresh_expires_at'],
    access_tokens: ['issued_at', 'expires_at'],
    sessions: ['created_at', 'last_used_at'],
    attempts: ['blocked_until', 'forgotten_at'],
  };
  for (const [table, columns] of Object.entries(times)) {
    const changes = columns.map((column) => `${column} = ${column} + interval '${by}'`);
    await database.query(`update ${table} set ${changes.join(', ')}`);
  }
}

test('what was issued while the clock was a year ahead ends when it is put back, instead of living for another year [F37]', async () => {
  const browser = await signedInBrowser(origin);
  const { access_token, refresh_token } = await freshTokens(origin, browser, {});
  const code = await obtainCode(browser);
  await putClockBack('1 year');
  assert.equal((await getUser(origin, access_token)).status, 401);
  for (const answer of [await refresh(origin, refresh_token), await redeem(origin, code)]) {
    assert.deepEqual([answer.status, answer.body['error']], [400, 'invalid_grant']);
  }
  assert.match((await browser.open('/account')).location ?? '', /\/login/);
});

test('a clock that is put back by an hour ends no code, token or session [F37]', async () => {
  const browser = await signedInBrowser(origin);
  const { access_token, refresh_token } = await freshTokens(origin, browser, {});
  const code = await obtainCode(browser);
  await putClockBack('1 hour');
  assert.equal((await getUser(origin, access_token)).status, 200);
  for (const answer of [await refresh(origin, refresh_token), await redeem(origin, code)])
    assert.equal(answer.status, 200);
  assert.equal((await browser.open('/account')).status, 200);
});

test('who was kept waiting while the clock was a year ahead does not wait for a year, and is counted again [F37]', async () => {
  const limit = { key: 'somebody', free: 2, pause: 900, longest: 900 };
  const attempt = () => countAttempt(database, limit);
  for (const isFree of [true, true, false]) assert.equal((await attempt()) === 0, isFree);
  await putClockBack('1 year');
  for (const isFree of [true, true, false]) assert.equal((await attempt()) === 0, isFree);
});

test('a metadata document that was fetched while the clock was a year ahead is fetched again [F37]', async () => {
  await database.query(
    `insert into client_documents (client_id, fetched_at, fresh_until)
     select client_id, now() + interval '1 year', now() + interval '1 year 1 hour' from clients limit 1`,
  );
  const { rows } = await database.query('select client_id from client_documents');
  assert.equal((await findDocument(database, rows[0].client_id, []))?.state, 'stale');
  await database.query('delete from client_documents');
});
