import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { deleteUser } from '../../../src/accounts/leaving/deleted-users.sql.ts';
import { dumpDatabase, eventsOf } from '../../support/attack.ts';
import { lengthenWaits } from '../../support/attempts.ts';
import { Browser, formRequest } from '../../support/browser.ts';
import { authorizationQuery, getUser, obtainCode, post, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import {
  cheapHash,
  password,
  printer,
  registerJwtResource,
  registerPeople,
  registerPrinter,
  registerUser,
  startLatchkey,
} from '../../support/latchkey.ts';
import { setUpApp } from '../../support/second-factor.ts';

const one = await startLatchkey({ REGISTRATION: 'open' });
const { origin, database, url } = one;
const two = await startLatchkey({ ISSUER: origin }, url);
await registerPrinter(database, { resource_server: true });

const button = 'class="danger"';
const deletionPage = (browser: Browser) => browser.visit('/account/delete');
const submitDeletion = async (browser: Browser, fields: Record<string, string | undefined> = { password }) =>
  browser.submit(await deletionPage(browser), button, fields);
const isDeleted = /Your account has been deleted/;

async function rowOf(user_id: number) {
  return (await database.query('select * from users where user_id = $1', [user_id])).rows[0];
}
async function idOf(username: string): Promise<number> {
  return (await database.query('select user_id from users where username = $1', [username])).rows[0].user_id;
}
/** One person with a session; with tokens, `tokensOf`. */
async function person(username: string) {
  await registerPeople(database, [username]);
  return { browser: await signedInBrowser(origin, username), user_id: await idOf(username) };
}
const tokensOf = async (browser: Browser, changes = {}) =>
  (await redeem(origin, await obtainCode(browser, changes), changes)).body;

test('a person reads what is lost, enters the password, and from the answer on nothing of theirs works at any instance', async () => {
  const { browser, user_id } = await person('ada');
  const elsewhere = await signedInBrowser(origin, 'ada');
  const neighbour = (await person('neighbour')).browser;
  await registerJwtResource(database, 'https://api.example/', ['user']);
  const kept = await tokensOf(neighbour);
  const tokens = await tokensOf(browser);
  const jwt = await tokensOf(browser, { resource: 'https://api.example/' });
  const code = await obtainCode(browser);
  const account = await browser.visit('/account');
  assert.match(account.text, /href="\/account\/delete"/);
  const page = await deletionPage(browser);
  assert.match(page.text, /cannot be undone[\s\S]*lose their access[\s\S]*kept for 400 days/);
  const answer = await browser.submit(page, button, { password });
  assert.equal(answer.status, 200);
  assert.match(answer.text, isDeleted);

  for (const instance of [one.origin, two.origin]) {
    assert.equal((await getUser(instance, tokens['access_token'])).status, 401);
    assert.equal((await refresh(instance, tokens['refresh_token'])).body['error'], 'invalid_grant');
    assert.equal((await redeem(instance, code)).body['error'], 'invalid_grant');
    for (const token of [tokens['access_token'], jwt['access_token'], tokens['refresh_token']]) {
      const introspected = await post(`${instance}/introspect`, { token: String(token) });
      assert.deepEqual(introspected.body, { active: false });
    }
  }
  for (const each of [browser, elsewhere]) assert.match((await each.open('/account')).location ?? '', /^\/login/);
  assert.equal((await getUser(origin, kept['access_token'])).status, 200);
  assert.equal((await neighbour.open('/account')).status, 200);

  // so that the sweep deletes them a week later
  const { rows: grants } = await database.query('select 1 from grants where user_id = $1 and revoked_at is null', [
    user_id,
  ]);
  assert.deepEqual(grants, []);
  const events = await database.query(
    "select event, client_id from audit_events where user_id = $1 and event in ('user_deleted', 'consent_revoked') order by event",
    [user_id],
  );
  assert.deepEqual(events.rows, [
    { event: 'consent_revoked', client_id: printer.client_id },
    { event: 'user_deleted', client_id: null },
  ]);
  assert.ok(one.logged.some((line) => JSON.parse(line).event === 'user_deleted'));
});

test('sign-in answers for a deleted name as for one that never existed', async () => {
  const { browser } = await person('gone');
  assert.match((await submitDeletion(browser)).text, isDeleted);
  const answers = await Promise.all(
    ['gone', 'never'].map(async (username) => {
      const visitor = new Browser(origin);
      const page = await visitor.submit(await visitor.visit('/login'), 'id="login"', { username, password });
      return [page.status, /<div class="problem"[\s\S]*?<\/div>/.exec(page.text)?.[0]];
    }),
  );
  assert.equal(answers[0]?.[0], 401);
  assert.deepEqual(answers[0], answers[1]);
});

test('no table has the name, the address or the password of a deleted person any more; the audit trail has their number', async () => {
  const { browser, user_id } = await person('wilhelmina');
  await tokensOf(browser);
  await setUpApp(browser);
  await browser.submit(await browser.visit('/account'), 'name="email"', {
    name: 'Mina Harker',
    email: 'mina@harker.example',
    current_password: password,
  });
  await database.query('update users set passkey_handle = $2 where user_id = $1', [user_id, Buffer.alloc(32)]);
  await database.query(
    `insert into passkeys (credential_id, user_id, public_key, sign_count, transports, user_verified, backup_eligible, rp_id, name)
     values ('\\x01', $1, '{}', 0, '{}', true, false, 'id.example', 'phone of Mina Harker')`,
    [user_id],
  );
  await database.query("insert into mails (kind, user_id, sealed) values ('notice', $1, 'of Mina Harker')", [user_id]);
  await database.query(
    `insert into mailed_links (token_sha256, purpose, user_id, address, expires_at)
     values ('\\x02', 'not_me', $1, 'mina@harker.example', now() + interval '1 day')`,
    [user_id],
  );
  assert.match(await dumpDatabase(database), /phone of Mina Harker/);
  await submitDeletion(browser);
  const dump = await dumpDatabase(database);
  // four letters alone stand in a digest sooner or later
  for (const personal of ['wilhelmina', 'Mina Harker', 'harker.example']) assert.ok(!dump.includes(personal), personal);
  const { disabled_at, deleted_at, created_at, seen_on, ...row } = await rowOf(user_id);
  assert.ok(disabled_at && deleted_at && created_at && seen_on);
  assert.deepEqual(row, {
    user_id,
    username: null,
    subject: null,
    source: 'here',
    password_reset_at: null,
    password_bcrypt: null,
    password_hash: null,
    registered_password_bcrypt: null,
    email: null,
    email_verified: false,
    pending_email: null,
    language: null,
    chosen_language: null,
    wants_notices: true,
    passkey_handle: null,
    name: null,
    is_admin: false,
    is_demo: false,
    imported_disabled: false,
    kept_there: null,
    disabled_there: false,
    gone_there: false,
    second_factor_since: null,
    factors_changed_at: null,
    sessions_ended_at: null,
    second_factor_demanded_at: null,
  });
  for (const table of ['totp_factors', 'recovery_codes', 'mails', 'mailed_links']) {
    assert.equal((await database.query(`select from ${table} where user_id = $1`, [user_id])).rowCount, 0, table);
  }
  assert.ok((await eventsOf(database, 'signed_in')).some((event) => event.user_id === user_id));
});

/** A value of every column that a deletion empties, or sets to its default; others say nothing about the person. */
const personal: Record<string, string> = {
  ...{
    username: `'filled'`,
    subject: `'filled-subject'`,
    name: `'Full'`,
    email: `'full@example.org'`,
    email_verified: 'true',
  },
  ...{ pending_email: `'next@example.org'`, language: `'de'`, chosen_language: `'fr'`, wants_notices: 'false' },
  ...{ password_hash: `'$6$salt$'`, password_bcrypt: `'${cheapHash}'`, registered_password_bcrypt: `'${cheapHash}'` },
  ...{ passkey_handle: `'\\x01'`, kept_there: `'{name}'`, imported_disabled: 'true', disabled_there: 'true' },
  ...{ gone_there: 'true', is_demo: 'true', is_admin: 'true', password_reset_at: 'now()' },
  ...{ second_factor_since: 'now()', factors_changed_at: 'now()', sessions_ended_at: 'now()' },
  ...{ second_factor_demanded_at: 'now()', seen_on: `'2026-02-03'` },
};

test('a deletion empties every column that says something about the person', async () => {
  await registerPeople(database, ['filled', 'another-administrator']);
  await database.query(`update users set is_admin = true where username = 'another-administrator'`);
  const { rows } = await database.query(
    `select column_name as name, column_default as usual from information_schema.columns
     where table_schema = current_schema() and table_name = 'users'
       and column_name not in ('user_id', 'source', 'created_at', 'disabled_at', 'deleted_at')`,
  );
  assert.deepEqual(rows.map(({ name }) => name).sort(), Object.keys(personal).sort());
  const user_id = await idOf('filled');
  const assignments = Object.entries(personal).map(([name, value]) => `${name} = ${value}`);
  await database.query(`update users set ${assignments.join(', ')} where user_id = $1`, [user_id]);
  assert.ok(await deleteUser(database, { user_id, password_hash: null, request_id: 'test', address: null }));
  const { subject, seen_on, deleted_at, ...row } = await rowOf(user_id);
  assert.match(subject, /^[0-9a-f-]{36}$/);
  const dayOf = (date: Date) => date.toDateString();
  assert.equal(dayOf(seen_on), dayOf(deleted_at));
  for (const { name, usual } of rows)
    if (!['subject', 'seen_on'].includes(name)) assert.equal(row[name], usual === null ? null : usual === 'true', name);
  await database.query(`update users set is_admin = false where username = 'another-administrator'`);
});

test('a deletion ends every row of the person in every table', async () => {
  const { rows } = await database.query(
    `select conrelid::regclass::text as name from pg_constraint where contype = 'f' and confrelid = 'users'::regclass`,
  );
  const statement = readFileSync(new URL('../../postgres/statements/delete_user.sql', import.meta.url), 'utf8');
  // a grant is revoked, an application is disabled and has no owner, and a trigger of users keeps the names
  const ended = [...statement.matchAll(/delete from\s+(\w+)/g)].map(([, table]) => table);
  const others = ['grants', 'clients', 'sign_in_names'];
  assert.deepEqual(
    rows.map(({ name }) => name).filter((name) => ![...ended, ...others].includes(name)),
    [],
  );
});

test('a forged form, a wrong password and a missing one delete nothing; the rightful form still does', async () => {
  const { browser, user_id } = await person('careful');
  const page = await deletionPage(browser);
  assert.equal((await browser.open('/account/delete', { method: 'HEAD' })).status, 200);
  const other = await (await person('other')).browser.visit('/account/delete');
  const csrf = /name="csrf" value="([^"]*)"/.exec(other.text)?.[1];
  for (const [fields, status] of [
    [{ password, csrf: undefined }, 403],
    [{ password, csrf }, 403],
    [{ password: 'wrong' }, 400],
    [{ password: undefined }, 400],
  ] as const) {
    const answer = await browser.submit(page, button, fields);
    assert.equal(answer.status, status);
    assert.doesNotMatch(answer.text, isDeleted);
  }
  const [path, init] = formRequest(page, button, { password });
  const headers = { ...(init.headers as Record<string, string>), 'sec-fetch-site': 'cross-site' };
  assert.equal((await browser.open(path, { ...init, headers })).status, 403);
  const stranger = new Browser(origin);
  assert.match((await stranger.open(path, init)).location ?? '', /^\/login/);
  assert.equal((await rowOf(user_id)).username, 'careful');
  const refusals = (await eventsOf(database, 'current_password_wrong')).filter((event) => event.user_id === user_id);
  assert.deepEqual(
    refusals.map(({ detail }) => detail),
    ['deletion of the account', 'deletion of the account'],
  );
  assert.match((await browser.submit(page, button, { password })).text, isDeleted);
});

test('passwords that are guessed on the page count as at sign-in', async () => {
  await lengthenWaits(database);
  const { browser, user_id } = await person('guessed');
  const page = await deletionPage(browser);
  const statuses = [];
  for (let guess = 0; guess < 6; guess += 1) {
    statuses.push((await browser.submit(page, button, { password: `guess ${guess}` })).status);
  }
  assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429]);
  assert.equal((await browser.submit(page, button, { password })).status, 429);
  assert.equal((await rowOf(user_id)).username, 'guessed');
  await database.query('delete from attempts');
  assert.match((await browser.submit(page, button, { password })).text, isDeleted);
});

test('twenty copies of the form at once delete once, and no copy says that the password was wrong', async () => {
  const { browser, user_id } = await person('hasty');
  await tokensOf(browser);
  const [path, init] = formRequest(await deletionPage(browser), button, { password });
  const answers = await Promise.all(Array.from({ length: 20 }, () => browser.open(path, init)));
  assert.ok(answers.some(({ text }) => isDeleted.test(text)));
  for (const { status, text, location } of answers) {
    // a copy that came after the deletion finds nobody signed in; one beside too many others has to wait
    assert.ok(
      isDeleted.test(text) || location === '/login?to=%2Faccount%2Fdelete' || status === 429,
      `${status} ${text}`,
    );
  }
  assert.equal((await eventsOf(database, 'user_deleted')).filter((event) => event.user_id === user_id).length, 1);
});

test('of what happens at the moment of the deletion, nothing survives: refreshes, codes, consents, sign-ins', async () => {
  const { browser, user_id } = await person('racing');
  const [first, second, third] = [await tokensOf(browser), await tokensOf(browser), await tokensOf(browser)];
  const codes = await Promise.all([1, 2, 3, 4].map(() => obtainCode(browser)));
  await registerPrinter(database, { client_id: 'late-printer' });
  const open = await browser.visit(`/authorize?${authorizationQuery({ client_id: 'late-printer' })}`);
  const signIn = new Browser(origin);
  const login = await signIn.visit('/login');
  const deletion = await deletionPage(browser);
  const [deleted, refreshed, redeemed] = await Promise.all([
    browser.submit(deletion, button, { password }),
    Promise.all([first, second, third].map((tokens) => refresh(two.origin, tokens['refresh_token']))),
    Promise.all(codes.map((code) => redeem(two.origin, code))),
    browser.submit(open, 'id="allow"'),
    signIn.submit(login, 'id="login"', { username: 'racing', password }),
  ]);
  assert.match(deleted.text, isDeleted);
  for (const { body } of [...refreshed, ...redeemed]) {
    assert.ok(body['access_token'] !== undefined || body['error'] === 'invalid_grant', JSON.stringify(body));
    if (body['access_token'] === undefined) continue;
    assert.equal((await getUser(origin, body['access_token'])).status, 401);
    assert.equal((await refresh(origin, body['refresh_token'])).body['error'], 'invalid_grant');
  }
  assert.match((await signIn.open('/account')).location ?? '', /^\/login/);
  // nor does it with the same name: that is another account
  await registerPeople(database, ['racing']);
  assert.notEqual(await idOf('racing'), user_id);
  assert.match((await signIn.open('/account')).location ?? '', /^\/login/);
});

test('whoever gets the same name and e-mail address has a new account: another sub, no consents, no known browser', async () => {
  const { browser, user_id } = await person('again');
  await tokensOf(browser);
  await submitDeletion(browser);
  const { browser: fresh, user_id: new_id } = await person('again');
  assert.notEqual(new_id, user_id);
  const page = await fresh.visit(`/authorize?${authorizationQuery()}`);
  assert.match(page.text, /id="allow"/);
  const { body } = await getUser(origin, (await tokensOf(fresh))['access_token']);
  assert.deepEqual([body['sub'], body['id']], [String(new_id), new_id]);
  const activity = (await fresh.visit('/account/activity')).text;
  assert.equal([...activity.matchAll(/<li><time[^>]*>[^<]*<\/time><div>Signed in/g)].length, 1);
});

test('applications of a deleted person are disabled, and only an administrator enables them', async () => {
  const { browser, user_id } = await person('developer');
  await registerPrinter(database, { client_id: 'owned', name: 'Owned <i>Press</i>' });
  await registerPrinter(database, { client_id: 'not-owned' });
  await database.query("update clients set owner_id = $1 where client_id = 'owned'", [user_id]);
  const user = (await person('user-of-owned')).browser;
  const given = { client_id: 'owned' };
  const tokens = (await redeem(origin, await obtainCode(user, given), {}, { authorization: basicOf('owned') })).body;
  const page = await deletionPage(browser);
  assert.match(page.text, /Only an administrator can enable them again[\s\S]*Owned &lt;i&gt;Press&lt;\/i&gt;/);
  await browser.submit(page, button, { password });
  assert.equal((await getUser(origin, tokens['access_token'])).status, 401);
  const { rows } = await database.query(
    "select client_id, owner_id, disabled_by_owner, disabled_at <= now() as is_disabled from clients where client_id in ('owned', 'not-owned') order by client_id",
  );
  assert.deepEqual(rows, [
    { client_id: 'not-owned', owner_id: null, disabled_by_owner: false, is_disabled: null },
    { client_id: 'owned', owner_id: null, disabled_by_owner: false, is_disabled: true },
  ]);
  const [event] = (await eventsOf(database, 'client_disabled')).filter((one) => one.user_id === user_id);
  assert.equal(event.client_id, 'owned');
});

test('the last administrator cannot be deleted, and of two at once one stays', async () => {
  await registerPeople(database, ['root', 'chief']);
  await database.query("update users set is_admin = true where username in ('root', 'chief')");
  const root = await signedInBrowser(origin, 'root');
  const chief = await signedInBrowser(origin, 'chief');
  const forms = [await deletionPage(root), await deletionPage(chief)] as const;
  await Promise.all([root.submit(forms[0], button, { password }), chief.submit(forms[1], button, { password })]);
  const { rows: left } = await database.query('select user_id, username from users where is_admin');
  assert.equal(left.length, 1);
  const [browser, form] = left[0].username === 'root' ? [root, forms[0]] : [chief, forms[1]];
  const page = await deletionPage(browser);
  assert.match(page.text, /only administrator of this server/);
  assert.doesNotMatch(page.text, /name="password"|cannot be undone/);
  const answer = await browser.submit(form, button, { password });
  assert.equal(answer.status, 403);
  assert.match(answer.text, /only administrator of this server/);
  // a disabled administrator is none
  await registerUser(database, { username: 'deputy', password: cheapHash });
  await database.query("update users set is_admin = true, disabled_at = now() where username = 'deputy'");
  assert.equal((await browser.submit(form, button, { password })).status, 403);
  await database.query("update users set disabled_at = null where username = 'deputy'");
  assert.match((await browser.submit(form, button, { password })).text, isDeleted);
});

test('two administrators who are deleted in two open transactions: the second waits for the first, and stays', async () => {
  await registerPeople(database, ['primus', 'secundus']);
  await database.query("update users set is_admin = username in ('primus', 'secundus') where deleted_at is null");
  const [primus, secundus] = [await idOf('primus'), await idOf('secundus')];
  const holder = await database.connect();
  await holder.query('begin');
  await holder.query("update users set is_admin = false where username = 'primus'");
  const trace = { request_id: 'r', address: null, password_hash: null };
  const later = deleteUser(database, { ...trace, user_id: secundus });
  await Promise.race([later, waitingForLock()]);
  await holder.query('commit');
  holder.release();
  assert.equal(await later, undefined);
  assert.equal(await deleteUser(database, { ...trace, user_id: secundus }), undefined);
  assert.ok(await deleteUser(database, { ...trace, user_id: primus }));
});

for (const [what, forget] of [
  ['with a password', 'name = name'],
  ['without one, whose session is the proof', 'password_bcrypt = null, password_hash = null'],
] as const) {
  test(`a person ${what}, who is disabled while the deletion waits, is not deleted`, async () => {
    const name = `disabled-${what.length}`;
    const { browser, user_id } = await person(name);
    await database.query(`update users set ${forget} where user_id = $1`, [user_id]);
    const form = await deletionPage(browser);
    const holder = await database.connect();
    await holder.query('begin');
    await holder.query('update users set disabled_at = now() where user_id = $1', [user_id]);
    const later = browser.submit(form, button, { password });
    await Promise.race([later, waitingForLock()]);
    await holder.query('commit');
    holder.release();
    const answer = await later;
    assert.ok(answer.status === 400 || answer.status === 403, String(answer.status));
    assert.equal((await rowOf(user_id)).username, name);
    const enable = 'update users set disabled_at = null, password_bcrypt = $2 where user_id = $1';
    await database.query(enable, [user_id, cheapHash]);
    // to disable somebody ends their sessions
    assert.match((await submitDeletion(await signedInBrowser(origin, name))).text, isDeleted);
  });
}

async function waitingForLock(): Promise<void> {
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  const end = Date.now() + 30_000;
  while ((await database.query(waiting)).rows.length === 0) {
    assert.ok(Date.now() < end, 'nobody waits for a lock');
    await pause(10);
  }
}

function basicOf(client_id: string): string {
  return `Basic ${Buffer.from(`${client_id}:${printer.client_secret}`).toString('base64')}`;
}
