import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createLink, openLink } from '../../src/accounts/mail/mailed-links.ts';
import { createInvitationLink, openSignUp } from '../../src/accounts/sign-up/sign-up.ts';
import { findDocument } from '../../src/clients/client-documents.sql.ts';
import { countAttempt } from '../../src/identity/attempt-limits.sql.ts';
import { isCurrent, type Ticket } from '../../src/identity/sign-in-ticket.ts';
import { startSignIn, takeSignIn } from '../../src/identity/started-sign-ins.sql.ts';
import { isTrusted, trustBrowser } from '../../src/identity/trusted-browser.ts';
import { digestOf } from '../../src/lib/secrets.ts';
import { startSweeping } from '../../src/operations/sweeping.ts';
import { watchClock } from '../../src/operations/trusted-clock.ts';
import { openDatabase, requestSettings } from '../../src/postgres/database.ts';
import { countedFamilies } from '../../src/telemetry/metric.ts';
import type { PageContext } from '../../src/web/page-context.ts';
import { freshTokens } from '../support/attack.ts';
import { createDatabase } from '../support/database.ts';
import { authorizationQuery, getUser, obtainCode, post, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { startWithPrinter } from '../support/latchkey.ts';
import { recorded } from '../support/recorded.ts';

const { origin, database, deps } = await startWithPrinter({ SIGN_UP: 'invited' });

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
    mailed_links: ['created_at', 'expires_at'],
    sign_up_links: ['created_at', 'expires_at'],
    started_sign_ins: ['started_at', 'expires_at'],
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

test('what a mail, another site or a browser was given while the clock was a year ahead is over when it is put back; an hour ends none of it [F58]', async () => {
  const { rows } = await database.query("select user_id from users where username = 'alice'");
  const { user_id } = rows[0];
  for (const [by, isOpen] of [
    ['1 hour', true],
    ['1 year', false],
  ] as const) {
    const reset = (await createLink(deps, { purpose: 'reset', user_id })) ?? '';
    const invitation = { address: 'x@y.example', is_handed_over: true };
    const signUp = new URL(await createInvitationLink(deps, invitation, recorded('user_invited')));
    const key = { state_sha256: digestOf(by), browser_sha256: digestOf('browser') };
    await startSignIn(database, key, { source: 'website', query: '', detail: {} });
    await putClockBack(by);
    assert.equal((await openLink(deps, 'reset', reset)) !== undefined, isOpen, by);
    assert.equal((await openSignUp(deps, signUp.searchParams.get('token') ?? '')) !== undefined, isOpen, by);
    assert.equal((await takeSignIn(database, key, 'website')) !== undefined, isOpen, by);
  }
});

test('after the clock was put back nothing is taken for a younger proof than it is, and no sign-in of a token is of the future [F58]', async () => {
  const browser = await signedInBrowser(origin);
  const { access_token } = await freshTokens(origin, browser, {});
  await database.query("update sessions set auth_time = now() + interval '10 minutes'");
  await database.query("update authorization_codes set auth_time = now() + interval '10 minutes'");
  const authTime = async (token: unknown) => {
    const { body } = await post(`${origin}/introspect`, { token: String(token) });
    return Number(body['auth_time']) - Date.now() / 1000;
  };
  assert.ok((await authTime(access_token)) <= 0);
  assert.ok((await authTime((await redeem(origin, await obtainCode(browser))).body['access_token'])) <= 0);
  assert.match((await browser.visit(`/authorize?${authorizationQuery({ max_age: '60' })}`)).text, /id="login"/);
  assert.doesNotMatch((await browser.visit('/account/security')).text, /name="password"/);
  await database.query("update sessions set auth_time = now() + interval '20 minutes'");
  assert.match((await browser.visit('/account/security')).text, /name="password"/);
});

test('a half sign-in and a trust that a browser kept from a clock that was a year ahead are worth nothing [F58]', () => {
  const state = { version: 'v', sessions_version: '' };
  const ticket = { ...state, issued_at: 1_000_000, user_id: 1, methods: [] } as unknown as Ticket;
  for (const [now, isGood] of [
    [1_000_599, true],
    [1_000_601, false],
    [999_401, true],
    [999_399, false],
  ] as const) {
    assert.equal(isCurrent(ticket, { ...state, now }), isGood, `${now}`);
  }
  const cookies: string[] = [];
  const res = { cookie: (_name: string, value: string) => cookies.push(value) };
  const page = { deps, req: { headers: {} }, res } as unknown as PageContext;
  const now = Date.now() / 1000;
  trustBrowser(page, { user_id: 1, version: 'v', now });
  const req = { headers: { cookie: `trusted=${cookies[0]}` } };
  for (const [by, isGood] of [
    [-3600, true],
    [-365 * 86_400, false],
    [29 * 86_400, true],
    [31 * 86_400, false],
  ] as const) {
    assert.equal(
      isTrusted({ ...page, req } as unknown as PageContext, { user_id: 1, version: 'v', now: now + by }),
      isGood,
    );
  }
});
