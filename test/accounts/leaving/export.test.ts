import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { obtainCode, redeem, signedInBrowser } from '../../support/flow.ts';
import { registerPeople, registerPrinter, startWithPrinter } from '../../support/latchkey.ts';

const { origin, database, logged } = await startWithPrinter();
await registerPeople(database, ['bob']);
const alice = await signedInBrowser(origin);
const { access_token, refresh_token } = (await redeem(origin, await obtainCode(alice))).body;
await database.query(
  `insert into identities (issuer, subject, user_id, label)
   select 'https://acme.example', 'alice-7', user_id, 'alice@acme.example' from users where username = 'alice'`,
);

const download = async (browser = alice, init: RequestInit = {}) => {
  const cookie = [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
  return fetch(`${origin}/account/export`, { headers: { cookie }, redirect: 'manual', ...init });
};

test('a person who has just signed in downloads what is kept about them, as one file that nobody else stores', async () => {
  const response = await download();
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/json;charset=UTF-8');
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="account.json"');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const all = await response.json();
  assert.deepEqual(Object.keys(all), [
    'profile',
    'identities',
    'passkeys',
    'sessions',
    'grants',
    'applications',
    'own_decisions',
    'activity',
  ]);
  const { username, email, email_verified, sub } = all.profile;
  assert.deepEqual(
    { username, email, email_verified, sub },
    {
      username: 'alice',
      email: 'alice@example.com',
      email_verified: true,
      sub: '1',
    },
  );
  assert.equal(all.identities[0].subject, 'alice-7');
  assert.equal(all.sessions.length, 1);
  assert.deepEqual(all.grants[0].scopes, ['user:name', 'user:email']);
  assert.deepEqual(
    all.activity.map(({ event, detail }: { event: string; detail: string | null }) => [event, detail]),
    [
      ['consent_given', 'user:name user:email'],
      ['signed_in', 'password'],
    ],
  );
});

/** Columns of a person that say nothing about them beyond what the profile says, or would open something. */
const notExported = [
  ...['kept_there', 'password_bcrypt', 'password_hash', 'registered_password_bcrypt', 'passkey_handle', 'is_demo'],
  // of whoever downloads it, they are not set
  ...['disabled_at', 'disabled_there', 'gone_there', 'imported_disabled', 'deleted_at'],
  // when proofs of before ended; the activity has these changes
  ...[
    'factors_changed_at',
    'sessions_ended_at',
    'password_reset_at',
    'second_factor_since',
    'second_factor_demanded_at',
  ],
];

test('the download has the applications about which the person has decided, also those that have no grant any more', async () => {
  await registerPrinter(database, { client_id: 'refused' });
  await database.query(
    `insert into own_decisions (user_id, client_id) select user_id, 'refused' from users where username = 'alice'`,
  );
  const { own_decisions } = await (await download()).json();
  assert.deepEqual(own_decisions, [{ client_id: 'refused', name: 'Photo Printer' }]);
});

test('the profile has every column about the person, with language and notices, and their applications follow', async () => {
  await database.query(
    `update users set language = 'de', chosen_language = 'fr', wants_notices = false, seen_on = '2026-02-03' where username = 'alice'`,
  );
  await database.query("update clients set owner_id = 1 where client_id = 'photo-printer'");
  const { profile, applications } = await (await download()).json();
  assert.deepEqual([profile.language, profile.chosen_language, profile.wants_notices], ['de', 'fr', false]);
  assert.equal(profile.seen_on, '2026-02-03');
  assert.deepEqual(
    applications.map(({ client_id }: { client_id: string }) => client_id),
    ['photo-printer'],
  );
  const { rows } = await database.query(
    `select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = 'users'`,
  );
  const shown = { user_id: 'id', subject: 'sub' } as Record<string, string>;
  const missing = rows.filter(({ name }) => !((shown[name] ?? name) in profile) && !notExported.includes(name));
  assert.deepEqual(missing, []);
  await database.query("update clients set owner_id = null where client_id = 'photo-printer'");
});

test('it contains no secret, and nothing of anybody else', async () => {
  const bob = await signedInBrowser(origin, 'bob');
  await obtainCode(bob);
  const text = await (await download()).text();
  const { rows } = await database.query(
    `select encode(sid_sha256, 'hex') as session, encode(sid_sha256, 'base64') as encoded from sessions`,
  );
  const { rows: hashes } = await database.query('select password_bcrypt from users');
  for (const secret of [
    access_token,
    refresh_token,
    alice.cookies().get('session'),
    ...rows.flatMap(({ session, encoded }) => [session, encoded]),
    ...hashes.map(({ password_bcrypt }) => password_bcrypt),
  ]) {
    assert.ok(!text.includes(String(secret)), String(secret).slice(0, 12));
  }
  assert.doesNotMatch(text, /bob|lk_[a-z]{2}_|sha256|csrf/);
});

test('after fifteen minutes a page asks for another sign-in, and after that the file comes', async () => {
  const browser = await signedInBrowser(origin, 'bob');
  await database.query("update sessions set auth_time = now() - interval '16 minutes'");
  const page = await browser.visit('/account/export');
  assert.equal(page.status, 403);
  assert.match(page.text, /Sign in again first/);
  const [, href = ''] = /id="again"[^>]*href="([^"]+)"/.exec(page.text) ?? [];
  const login = await browser.visit(href.replaceAll('&amp;', '&'));
  await browser.submit(login, 'id="login"', { username: 'bob', password: 'wonderland' });
  assert.equal((await download(browser)).status, 200);
  await database.query('update sessions set auth_time = now()');
});

test('a stranger is led to the sign-in page, and HEAD begins no download', async () => {
  const stranger = await download(new Browser(origin));
  assert.deepEqual([stranger.status, stranger.headers.get('location')], [302, '/login?to=%2Faccount%2Fexport']);
  assert.equal((await download(alice, { method: 'HEAD', headers: {} })).status, 405);
});

test('many thousand events are read in parts, all of them and each once', async () => {
  await database.query(
    `insert into audit_events (event, user_id, happened_at, request_id)
     select 'profile_changed', 1, now() - number * interval '1 millisecond', 'x' from generate_series(1, 5000) number`,
  );
  const { activity } = await (await download()).json();
  const changes = activity.filter(({ event }: { event: string }) => event === 'profile_changed');
  assert.equal(changes.length, 5000);
});

test('a download that fails in the middle breaks off, so that nobody takes it for the whole, and the log says why', async () => {
  await database.query('alter table passkeys rename to passkeys_elsewhere');
  const broken = await download();
  await assert.rejects(broken.text());
  await database.query('alter table passkeys_elsewhere rename to passkeys');
  const line = logged.find((one) => one.includes('/account/export') && /passkeys/.test(one));
  assert.ok(line, logged.slice(-5).join(''));
  assert.equal((await download()).status, 200);
});

test('the account page has a link to it, and says with what somebody has signed in', async () => {
  const browser = await signedInBrowser(origin, 'bob');
  assert.match(
    (await browser.visit('/account')).text,
    /<a class="button" href="\/account\/export">Download as JSON<\/a>/,
  );
  const { text } = await browser.visit('/account/activity');
  assert.match(text, /Signed in<p class="soft small"><bdi>password<\/bdi>/);
  assert.match(
    (await browser.visit('/account/activity?ui_locales=de')).text,
    /Angemeldet<p class="soft small"><bdi>Passwort<\/bdi>/,
  );
  await database.query(
    `insert into audit_events (event, user_id, detail, request_id)
     select 'signed_in', user_id, 'password totp <b>', 'x' from users where username = 'bob'`,
  );
  assert.match(
    (await browser.visit('/account/activity?ui_locales=en')).text,
    /<bdi>password \+ code from an app<\/bdi>/,
  );
});

test('password managers find the form that changes the password', async () => {
  const response = await fetch(`${origin}/.well-known/change-password`, { redirect: 'manual' });
  assert.deepEqual([response.status, response.headers.get('location')], [303, '/account/security#password']);
  assert.match((await alice.visit('/account/security')).text, /id="password"/);
  const missing = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200';
  assert.equal((await fetch(origin + missing)).status, 404);
});
