import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createApp } from '../../src/app.ts';
import { Browser, formRequest } from '../support/browser.ts';
import { authorizationQuery, signedInBrowser } from '../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const { origin, database, deps } = await startLatchkey();
await registerPeople(database, ['alice', 'bob', 'mallory']);
await registerPrinter(database);
const isSignedIn = async (browser: Browser) => (await browser.open('/login')).status === 302;

test('a session id that an attacker plants in a browser does not become the victim’s session [A125]', async () => {
  const mallory = await signedInBrowser(origin, 'mallory');
  const planted = mallory.cookies().get('session') ?? '';
  const victim = new Browser(origin);
  for (const [name, value] of mallory.cookies()) victim.setCookie(name, value);
  const page = await victim.visit(`/authorize?${authorizationQuery()}`);
  await victim.submit(page, 'action="/logout?');
  const login = await victim.visit('/login');
  await victim.submit(login, 'id="login"', { username: 'alice', password });
  assert.notEqual(victim.cookies().get('session'), planted);
  assert.equal(await isSignedIn(mallory), false);
  const text = (await victim.visit(`/authorize?${authorizationQuery()}`)).text;
  assert.match(text, /alice/);
  assert.doesNotMatch(text, /mallory/);
});

test('signing in over an active session ends that session [A125]', async () => {
  const browser = await signedInBrowser(origin, 'mallory');
  const copy = new Browser(origin);
  for (const [name, value] of browser.cookies()) copy.setCookie(name, value);
  const account = await browser.visit('/');
  const csrf = /name="csrf" value="([^"]+)"/.exec(account.text)?.[1] ?? '';
  const body = new URLSearchParams({ csrf, username: 'alice', password }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  assert.equal((await browser.open('/login', { method: 'POST', body, headers })).status, 302);
  assert.equal(await isSignedIn(browser), true);
  assert.equal(await isSignedIn(copy), false);
});

test('with two session cookies neither counts, because one may be planted [A151]', async () => {
  const [alice, mallory] = [await signedInBrowser(origin), await signedInBrowser(origin, 'mallory')];
  const [one, two] = [alice.cookies().get('session'), mallory.cookies().get('session')];
  for (const cookie of [
    `session=${one}; session=${two}`,
    `session=${two}; session=${one}`,
    `session=${one}; session=`,
  ]) {
    const page = await fetch(`${origin}/login`, { headers: { cookie }, redirect: 'manual' });
    assert.equal(page.status, 200, 'anonymous');
  }
  const cookie = `session=${one}; xsession=${two}; __Host-session=${two}`;
  assert.equal((await fetch(`${origin}/login`, { headers: { cookie }, redirect: 'manual' })).status, 302);
});

test('a form key fetched by an attacker and planted in another browser is refused from another site [A122] [A151]', async () => {
  const mallory = new Browser(origin);
  const [path, init] = formRequest(await mallory.visit('/login'), 'id="login"', { username: 'mallory', password });
  const form = mallory.cookies().get('form');
  const headers = init.headers as Record<string, string>;
  for (const [cookie, more] of [
    [`form=${form}`, { 'sec-fetch-site': 'same-site', origin: 'http://evil.localhost' }],
    [`form=${form}; form=${'x'.repeat(24)}`, {}],
    ['', {}],
  ] as const) {
    const answer = await fetch(path, { ...init, redirect: 'manual', headers: { ...headers, ...more, cookie } });
    assert.equal(answer.status, 403);
    assert.ok(!answer.headers.getSetCookie().some((line) => line.startsWith('session=')));
  }
});

test('malformed cookies count as signed out, and never cause an error', async () => {
  for (const cookie of [
    'session',
    'session=',
    'session=%',
    'session=s%3A',
    'session=s:x.y',
    `session=${'x'.repeat(8000)}`,
    'session=s%3A%00.%00',
    'session="s:x"; form="\\"',
    ';;;===;;',
    '__proto__=x; constructor=y; session=__proto__',
    'browser=x; form=\u00ff',
    `${'a=b; '.repeat(2000)}`,
  ]) {
    const answer = await fetch(`${origin}/login`, { headers: { cookie }, redirect: 'manual' });
    assert.equal(answer.status, 200, cookie.slice(0, 60));
  }
});

test('a request in progress during sign-out does not restore the session [A127] [A128]', async () => {
  await database.query('delete from sessions');
  for (let round = 0; round < 5; round += 1) {
    const browser = await signedInBrowser(origin);
    await database.query("update sessions set last_used_at = now() - interval '6 minutes'");
    const [path, init] = formRequest(await browser.visit('/'), 'action="/logout"');
    const cookie = [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
    const asWas = (address: string) => fetch(origin + address, { headers: { cookie }, redirect: 'manual' });
    const reads = Array.from({ length: 20 }, () => asWas('/account'));
    await Promise.all([browser.open(path, init), ...reads]);
    assert.equal((await asWas('/login')).status, 200);
    const { rows } = await database.query('select from sessions');
    assert.equal(rows.length, 0);
  }
});

test('a session records when its person signed in, by the clock of the database, and how', async (t) => {
  await database.query('delete from sessions');
  const { now } = Date;
  const clock = t.mock.method(Date, 'now', () => now() + 3_600_000);
  const browser = await signedInBrowser(origin);
  clock.mock.restore();
  const state = async () => {
    const { rows } = await database.query(
      'select methods, auth_time = created_at as is_new, auth_time between now() - interval $$1 minute$$ and now() as is_now from sessions',
    );
    return rows;
  };
  assert.deepEqual(await state(), [{ methods: ['password'], is_new: true, is_now: true }]);
  await database.query(`update sessions set methods = '{password,code}', auth_time = now() - interval '20 minutes'`);
  const change = { old_password: password, new_password: 'looking-glass', repeat_password: 'looking-glass' };
  await browser.submit(await browser.visit('/account/security'), 'name="old_password"', change);
  const { rows } = await database.query(
    `select methods, auth_time < now() - interval '19 minutes' as is_as_before, created_at > now() - interval '1 minute' as is_new from sessions`,
  );
  const kept = { methods: ['password', 'code'], is_as_before: true, is_new: true };
  assert.deepEqual(rows, [kept], 'a new password ends the session and continues it, with what was proved before');
  await registerPeople(database, ['alice']);
  await database.query('update users set password_bcrypt = registered_password_bcrypt');
});

test('rotating the session secret keeps existing sessions, and removing the old secret ends them [A155]', async () => {
  const browser = await signedInBrowser(origin);
  const cookie = `session=${browser.cookies().get('session')}`;
  const statuses = [];
  for (const sessionSecrets of [
    ['a-new-secret-of-more-than-32-characters', ...deps.sessionSecrets],
    ['a-new-secret-of-more-than-32-characters'],
  ]) {
    const server = createServer(createApp({ ...deps, sessionSecrets })).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/login`, { headers: { cookie }, redirect: 'manual' });
    statuses.push(answer.status);
    server.close();
    server.closeAllConnections();
  }
  assert.deepEqual(statuses, [302, 200]);
});
