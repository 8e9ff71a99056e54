import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, test } from 'node:test';
import { sendRaw } from '../../support/attack.ts';
import { Browser } from '../../support/browser.ts';
import { authorizationQuery, codeIn, obtainCode, redeem, signedInBrowser } from '../../support/flow.ts';
import { registerPrinter, startWithPrinter } from '../../support/latchkey.ts';

const { origin, database } = await startWithPrinter();
const escaped = 'https://printer.example/call%2fback%3Fx?to=%C3%A9';
await registerPrinter(database, { client_id: 'escaped', redirect_uris: [escaped] });
await registerPrinter(database, { client_id: 'small', scopes: ['user:name'] });
const browser = await signedInBrowser(origin);
await obtainCode(browser);

/** A server on this machine that records its requests. */
const calls: string[] = [];
const listener = createServer((socket) => calls.push(String(socket.remoteAddress))).listen(0, '127.0.0.1');
await once(listener, 'listening');
after(() => listener.close());
const inside = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/request`;

async function assertPage(changes: Parameters<typeof authorizationQuery>[0]): Promise<void> {
  for (const path of ['/authorize', '/login/oauth/authorize', '/consent']) {
    const visitor = path === '/consent' ? browser : new Browser(origin);
    const method = path === '/consent' ? 'POST' : 'GET';
    const page = await visitor.open(`${path}?${authorizationQuery(changes)}`, { method });
    assert.deepEqual([page.status, page.location], [400, undefined], path);
    assert.doesNotMatch(page.text, /evil\.example/);
  }
}

test('an invalid request_uri does not weaken the check of redirect_uri [A71]', async () => {
  for (const junk of ['bogus', 'urn:ietf:params:oauth:request_uri:x', inside, '']) {
    await assertPage({ request_uri: junk, redirect_uri: 'https://evil.example/' });
    await assertPage({ request_uri: junk, client_id: 'nobody' });
    await assertPage({ request: junk || 'x', redirect_uri: 'https://evil.example/' });
  }
});

test('the server fetches no address from a request [A73]', async () => {
  for (const changes of [
    { request_uri: inside },
    { request: inside },
    { redirect_uri: inside },
    { client_id: inside },
    { state: inside, ui_locales: inside },
  ]) {
    await browser.open(`/authorize?${authorizationQuery(changes)}`);
  }
  await registerPrinter(database, { client_id: 'logo' });
  await database.query(
    `update clients
     set logo_uri = 'https://127.0.0.1:1/logo.png', homepage_uri = 'https://127.0.0.1:1/'
     where client_id = 'logo'`,
  );
  await browser.open(`/authorize?${authorizationQuery({ client_id: 'logo' })}`);
  assert.deepEqual(calls, []);
});

test('a URI with percent escapes is compared literally: other case or other escapes are refused [A50] [A61]', async () => {
  for (const other of [
    escaped.replace('%2f', '%2F'),
    escaped.replace('%2f', '/'),
    escaped.replace('%3F', '?'),
    escaped.replace('%C3%A9', 'é'),
    escaped.replace('%C3%A9', '%c3%a9'),
    escaped.replace('%C3%A9', 'e%CC%81'),
    escaped.replaceAll('%', '%25'),
    decodeURIComponent(escaped),
    encodeURI(escaped),
  ]) {
    await assertPage({ client_id: 'escaped', redirect_uri: other });
  }
  const page = await browser.visit(`/authorize?${authorizationQuery({ client_id: 'escaped', redirect_uri: escaped })}`);
  assert.ok((await browser.submit(page, 'id="allow"')).location?.startsWith(`${escaped}&code=`));
});

test('unknown response modes are refused, in the query [A76]', async () => {
  for (const response_mode of ['fragment', 'Form_Post', 'fragment.jwt', 'Query.jwt', 'web_message', 'xyz']) {
    const { location } = await browser.open(`/authorize?${authorizationQuery({ response_mode })}`);
    assert.equal(new URL(location ?? '').searchParams.get('error'), 'invalid_request', response_mode);
    assert.ok(!location?.includes('#'));
  }
  assert.ok(codeIn(await browser.open(`/authorize?${authorizationQuery({ response_mode: 'query' })}`)));
});

test('everything returned to a client is encoded: no second code, no line break, no fragment can be injected [A82] [A83]', async () => {
  for (const state of [
    '&code=evil&iss=evil',
    '#fragment',
    'x%0d%0aSet-Cookie:%20a=b',
    '\r\nSet-Cookie: a=b',
    '"><script>',
    '\u2028\u202e\u{1F511}',
    '%25%32%35',
    '+ +',
    '=&=',
  ]) {
    const { location, headers } = await browser.open(`/authorize?${authorizationQuery({ state })}`);
    assert.match(
      location ?? '',
      /^https:\/\/printer\.example\/callback\?code=lk_ac_[\w-]+&state=[\w.!~*'()%-]*&iss=[\w.%-]+$/,
    );
    const answer = new URL(location ?? '');
    assert.equal(answer.searchParams.get('state'), state);
    assert.equal(answer.hash, '');
    assert.deepEqual(
      headers.getSetCookie().filter((line) => line.startsWith('a=')),
      [],
    );
    const refused = await browser.open(`/authorize?${authorizationQuery({ state, scope: 'admin' })}`);
    assert.deepEqual(new URL(refused.location ?? '').searchParams.getAll('state'), [state]);
    assert.equal(new URL(refused.location ?? '').searchParams.get('code'), null);
  }
});

test('a redirect with a code or an error has no referrer and is not cached [A103] [A106]', async () => {
  for (const changes of [{}, { scope: 'admin' }, { prompt: 'none', client_id: 'small', scope: 'user:name' }]) {
    const { status, headers, text } = await browser.open(`/authorize?${authorizationQuery(changes)}`);
    assert.equal(status, 302);
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(text, '');
  }
});

test('the same challenge in two requests produces two independent codes [A88]', async () => {
  const [one, two] = [await obtainCode(browser), await obtainCode(browser)];
  assert.notEqual(one, two);
  assert.equal((await redeem(origin, one)).status, 200);
  assert.equal((await redeem(origin, one)).body['error'], 'invalid_grant');
  assert.equal((await redeem(origin, two)).status, 200);
});

test('a form from an expired session leads to a page that says so [A97]', async () => {
  const alice = await signedInBrowser(origin);
  const page = await alice.visit(`/authorize?${authorizationQuery({ prompt: 'consent' })}`);
  await database.query("update sessions set created_at = now() - interval '13 hours'");
  const again = await alice.submit(page, 'id="allow"');
  assert.match(again.text, /id="login"/);
  assert.equal(again.location, undefined);
});

test('a request target with a fragment, a backslash or non-ASCII bytes causes no foreign redirect', async () => {
  for (const target of [
    `/authorize?${authorizationQuery()}#https://evil.example`,
    `/authorize\\@evil.example?${authorizationQuery()}`,
    `/authorize?${authorizationQuery()}&x=\xff`,
    `//evil.example/authorize?${authorizationQuery()}`,
    `/\\evil.example/%2e%2e/authorize?${authorizationQuery()}`,
  ]) {
    const { text } = await sendRaw(origin, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const location = /^location: (.*)$/im.exec(text)?.[1] ?? '/';
    assert.match(location, /^(\/(?![/\\])|https:\/\/printer\.example\/callback\?)/, target);
  }
});
