import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lengthenWaits } from '../support/attempts.ts';
import { Browser } from '../support/browser.ts';
import { authorizationQuery, codeIn, obtainCode, signedInBrowser } from '../support/flow.ts';
import { printer, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const { origin, database, url } = await startLatchkey();
await registerPeople(database, ['alice', 'bob']);
await registerPrinter(database);
const alice = await signedInBrowser(origin);

/** What a page must carry, whatever it says. */
function assertPage(headers: Headers, where: string): void {
  assert.match(headers.get('content-type') ?? '', /^text\/html; ?charset=utf-8$/i, where);
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/, where);
  assert.match(policy, /frame-ancestors 'none'/, where);
  assert.match(policy, /base-uri 'none'/, where);
  assert.doesNotMatch(policy, /unsafe|\*|data:/, where);
  assert.equal(headers.get('x-frame-options'), 'DENY', where);
  assert.equal(headers.get('x-content-type-options'), 'nosniff', where);
  assert.equal(headers.get('referrer-policy'), 'same-origin', where);
  assert.match(headers.get('cache-control') ?? '', /no-store/, where);
}

test('every page carries the same security headers, including error pages [A34] [A103] [A104]', async () => {
  for (const [path, init] of [
    ['/'],
    ['/logout'],
    ['/account'],
    ['/errors/invalid_request'],
    [`/authorize?${authorizationQuery({ prompt: 'consent' })}`],
    ['/authorize'],
    [`/authorize?${authorizationQuery({ client_id: 'nobody' })}`],
    ['/nowhere'],
    ['/consent'],
    ['/login', { method: 'PUT' }],
    ['/logout', { method: 'POST' }],
    ['/%FF'],
    ['/login', { method: 'POST', body: 'x'.repeat(20_000) }],
  ] as [string, RequestInit?][]) {
    const { headers } = await alice.open(path, init);
    assertPage(headers, path);
  }
  await lengthenWaits(database);
  const browser = new Browser(origin);
  const login = await browser.visit('/login');
  let page = login;
  for (let guess = 0; guess < 7; guess += 1) {
    page = await browser.submit(login, 'id="login"', { username: 'nobody', password: 'x'.repeat(73) });
  }
  assert.equal(page.status, 429);
  assertPage(page.headers, 'too many attempts');
});

test('a page that fails because the database is down carries the security headers [A34]', async () => {
  const away = await startLatchkey({ ISSUER: origin }, url);
  await away.database.end();
  const page = await fetch(`${away.origin}/authorize?${authorizationQuery()}`);
  assert.equal(page.status, 503);
  assert.equal(page.headers.get('retry-after'), '5');
  assertPage(page.headers, 'away');
  // the test support ends it once more
  Object.assign(away.database, { end: async () => {} });
});

test('with an https issuer every answer has Strict-Transport-Security, and every refusal its request id [A34] [FAPI2 5.2.3-1]', async () => {
  const secure = await startLatchkey({ ISSUER: 'https://id.example' }, url);
  for (const [path, method] of [
    ['/login', 'GET'],
    ['/nowhere', 'GET'],
    [`/authorize?${authorizationQuery()}`, 'GET'],
    [`/authorize?${authorizationQuery({ scope: 'admin' })}`, 'GET'],
    ['/authorize', 'GET'],
    ['/token', 'POST'],
    ['/token', 'GET'],
    ['/token', 'OPTIONS'],
    ['/user', 'GET'],
    ['/leaked', 'POST'],
    ['/healthz', 'GET'],
    ['/%FF', 'GET'],
  ] as const) {
    const { headers, status } = await fetch(secure.origin + path, { method, redirect: 'manual' });
    assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', `${method} ${path}`);
    assert.ok(status < 400 || headers.get('x-request-id'), `${method} ${path}`);
  }
});

test('no answer names the software behind it [A37]', async () => {
  for (const path of ['/', '/token', '/user', '/healthz', '/nowhere', '/assets/latchkey.css', '/%FF']) {
    const { headers } = await fetch(origin + path);
    for (const name of ['x-powered-by', 'server', 'via', 'etag']) {
      assert.ok(name === 'etag' && path.startsWith('/assets') ? true : headers.get(name) === null, `${path} ${name}`);
    }
  }
});

test('request headers are never reflected [A10]', async () => {
  // with a dot, which random form keys and cookies do not have
  const headers = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-original-url': '/evil.example',
    'x-http-method-override': 'DELETE',
    'x-request-id': 'evil.example',
    forwarded: 'host=evil.example',
    referer: 'https://evil.example/',
    'accept-language': 'evil.example;q=9, *;q=x, ../../etc/passwd',
    'user-agent': '<script>evil.example</script>',
  };
  for (const path of ['/', '/login', '/nowhere', '/.well-known/oauth-authorization-server', '/token', '/user']) {
    const answer = await fetch(origin + path, { headers });
    const whole = JSON.stringify([...answer.headers]) + (await answer.text());
    assert.doesNotMatch(whole, /evil\.example/, path);
  }
});

test('malformed language preferences get English, not an error', async () => {
  for (const wish of [
    'x'.repeat(5000),
    ',,,;;;',
    'de;q=NaN',
    '*',
    'constructor',
    '__proto__',
    '../en',
    '\u00ff',
    'de-'.repeat(800),
  ]) {
    const byHeader = await fetch(`${origin}/login`, { headers: { 'accept-language': wish } });
    assert.equal(byHeader.status, 200, wish.slice(0, 20));
    assert.match(await byHeader.text(), /<html lang="(en|de)"/);
    const byQuery = await fetch(`${origin}/login?${new URLSearchParams({ ui_locales: wish })}`);
    assert.equal(byQuery.status, 200, wish.slice(0, 20));
    assert.doesNotMatch(await byQuery.text(), /<html lang="(?!en|de)/);
  }
});

test('every developer and account form refuses what belongs to another user, as if it did not exist', async () => {
  const bob = await signedInBrowser(origin, 'bob');
  await database.query("update clients set owner_id = 1 where client_id = 'photo-printer'");
  await obtainCode(alice, { prompt: 'consent' });
  const csrf = /name="csrf" value="([^"]+)"/.exec((await bob.visit('/account')).text)?.[1] ?? '';
  const fields = { csrf, name: 'Mine', scope: 'user:name', handle: 'x', confirm: printer.name, token: 'x' };
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin };
  const before = await database.query(
    "select c::text, g::text from clients c join grants g using (client_id) where c.client_id = 'photo-printer' and g.revoked_at is null",
  );
  for (const path of ['', '/secrets', '/secrets/delete', '/disable', '/enable', '/delete', '/token']) {
    const body = new URLSearchParams(fields).toString();
    const page = await bob.open(`/developer/applications/photo-printer${path}`, { method: 'POST', headers, body });
    assert.equal(page.status, 404, path);
    assert.equal((await bob.open(`/developer/applications/photo-printer`)).status, 404);
  }
  for (const path of ['', '/revoke']) {
    const body = new URLSearchParams(fields).toString();
    const page = await bob.open(`/account/applications/photo-printer${path}`, { method: 'POST', headers, body });
    assert.equal(page.status, 404, path);
  }
  const after = await database.query(
    "select c::text, g::text from clients c join grants g using (client_id) where c.client_id = 'photo-printer' and g.revoked_at is null",
  );
  assert.deepEqual(after.rows, before.rows);
  assert.ok(codeIn(await alice.visit(`/authorize?${authorizationQuery()}`)));
});
