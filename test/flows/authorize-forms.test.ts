import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser } from '../support/browser.ts';
import { authorizationQuery, codeIn, redeem } from '../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const { origin, database } = await startLatchkey();
await registerPeople(database);
await registerPrinter(database);

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

test('a parameter in the form and in the query is sent twice', async () => {
  const response = await send('client_id=other', form, `/authorize?${authorizationQuery()}`);
  const page = await fetch(origin + response.headers.get('location'), { redirect: 'manual' });
  assert.equal(page.status, 400);
  assert.match(await page.text(), /client_id is sent more than once/);
});

test('a form that cannot become a query is refused with a page', async () => {
  for (const [body, headers] of [
    [JSON.stringify({ client_id: 'x' }), { 'content-type': 'application/json' }],
    [`state=${'x'.repeat(8001)}`, form],
    ['state=\u00e9', form],
    ['state=a#&prompt=login', form],
    ['state=a\r\nSet-Cookie: x=1', form],
  ] as const) {
    const response = await send(body, headers);
    assert.equal(response.status, 400, body.slice(0, 40));
    assert.equal(response.headers.get('location'), null);
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
  }
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
