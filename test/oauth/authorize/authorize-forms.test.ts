import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { authorizationQuery, codeIn, redeem, signedInBrowser } from '../../support/flow.ts';
import { password, printer, startWithPrinter } from '../../support/latchkey.ts';

const { origin, database, logged } = await startWithPrinter();

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const send = (body: string, headers: Record<string, string> = form, path = '/authorize') =>
  fetch(origin + path, { method: 'POST', body, headers, redirect: 'manual' });

test('an authorization request can be sent as a form, and is then carried on in the query [6749 §3.1]', async () => {
  const query = authorizationQuery({ scope: 'user', state: 'a b&c' });
  for (const path of ['/authorize', '/login/oauth/authorize']) {
    const response = await send(query, form, path);
    assert.deepEqual([response.status, response.headers.get('location')], [302, `${path}?${query}`]);
  }
  const browser = new Browser(origin);
  const login = await browser.visit(`/authorize?${query}`);
  const consent = await browser.submit(login, 'id="login"', { username: 'alice', password });
  const answer = await browser.submit(consent, 'id="allow"');
  assert.equal((await redeem(origin, codeIn(answer))).status, 200);
});

test('a request is either a query or a form, never both [A371]', async () => {
  for (const extra of ['client_id=other', `client_id=${printer.client_id}`, 'nonce=x']) {
    for (const path of ['/authorize', '/login/oauth/authorize']) {
      const page = await send(authorizationQuery(), form, `${path}?${extra}`);
      assert.deepEqual([page.status, page.headers.get('location')], [400, null], extra);
      assert.match(await page.text(), /must not have a query as well/);
    }
  }
});

test('a form that cannot become a query is refused with a page [A371]', async () => {
  for (const [body, headers, status] of [
    [JSON.stringify({ client_id: 'x' }), { 'content-type': 'application/json' }, 400],
    ['client_id=x', { 'content-type': 'text/plain' }, 400],
    ['--x\r\n\r\n--x--', { 'content-type': 'multipart/form-data; boundary=x' }, 400],
    [`state=${'x'.repeat(8001)}`, form, 413],
    [`state=${'x'.repeat(101 * 1024)}`, form, 413],
    ['state=\u00e9', form, 400],
    ['state=a#&prompt=login', form, 400],
    ['state=a\r\nSet-Cookie: x=1', form, 400],
  ] as const) {
    const response = await send(body, headers);
    assert.equal(response.status, status, body.slice(0, 40));
    assert.equal(response.headers.get('location'), null);
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
  }
});

test('the longest form that is accepted leads to an address that the server answers [A371]', async () => {
  const query = `${authorizationQuery({ state: undefined })}&state=`;
  const body = query + 'x'.repeat(8000 - query.length);
  const { location } = await new Browser(origin).open('/authorize', { method: 'POST', body, headers: form });
  assert.match((await new Browser(origin).visit(location ?? '')).text, /id="login"/);
});

test('a form to /authorize decides nothing, signs nobody in, and leaves the session as it is [A371]', async () => {
  const alice = await signedInBrowser(origin);
  const before = [...alice.cookies()];
  const decisive = `${authorizationQuery({ prompt: 'consent' })}&decision=allow&csrf=x&ticket=x&username=alice&password=${password}`;
  const headers = { ...form, origin: 'null', 'sec-fetch-site': 'cross-site' };
  for (const path of ['/authorize', '/login/oauth/authorize']) {
    const answer = await alice.open(path, { method: 'POST', body: decisive, headers });
    assert.deepEqual([answer.status, answer.headers.getSetCookie()], [302, []]);
    assert.match((await alice.visit(answer.location ?? '')).text, /id="allow"/, 'the person is asked');
    const stranger = new Browser(origin);
    assert.match((await stranger.visit(answer.location ?? '')).text, /id="login"/);
  }
  assert.deepEqual([...alice.cookies()].slice(0, before.length), before);
  assert.equal((await database.query('select from authorization_codes')).rowCount, 1, 'the one of the first test');
  assert.equal((await fetch(`${origin}/authorize?${authorizationQuery()}`, { method: 'HEAD' })).status, 405);
  assert.ok(!logged.join('').includes(password), 'nothing of the form is in the log');
});

test('login_hint fills in the username, as text and nothing else', async () => {
  const open = async (login_hint: string) =>
    (await new Browser(origin).visit(`/authorize?${authorizationQuery({ login_hint })}`)).text;
  assert.match(await open('alice'), /name="username"[^>]* value="alice"/);
  assert.match(await open('"><script>'), /name="username"[^>]* value="&#34;&gt;&lt;script&gt;"/);
  for (const hint of ['a\u202eb', 'x'.repeat(201), 'a\nb']) {
    assert.match(await open(hint), /name="username"[^>]* value=""/, JSON.stringify(hint));
  }
});
