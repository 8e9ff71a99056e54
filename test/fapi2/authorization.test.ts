import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser, formRequest, type Page } from '../support/browser.ts';
import { allow, startFapi2 } from '../support/fapi2.ts';
import { authorizationQuery, codeIn, encode } from '../support/flow.ts';
import { password, printer, startLatchkey } from '../support/latchkey.ts';

// The profile fapi2 at /authorize.

const { latchkey, bank, other, browser } = await startFapi2();
const { origin, database } = latchkey;
const withQuery = `${printer.redirect_uri}?dummy1=lorem%20ipsum&dummy2=a+b%2Fc&empty=`;
await database.query(`update clients set redirect_uris = array[$1, $2] where client_id = 'bank'`, [
  printer.redirect_uri,
  withQuery,
]);

const parametersIn = ({ location = '' }: Page) => Object.fromEntries(new URL(location).searchParams);

async function assertDead(query: string): Promise<void> {
  const page = await browser.open(`/authorize?${query}`);
  assert.deepEqual([page.status, page.location], [400, undefined]);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(page.text, /id="error"><code>invalid_request_uri</);
}

test('the answer has code, iss and the pushed state, and nothing else [FAPI2 5.3.2.2-7, 5.3.2.2-10] [9207 §2]', async () => {
  const { code, ...others } = parametersIn(await allow(browser, await bank.pushed()));
  assert.ok(code);
  assert.deepEqual(others, { state: 'the-state', iss: origin });
  const stateless = parametersIn(await allow(browser, await bank.pushed({ state: undefined })));
  assert.deepEqual(Object.keys(stateless).sort(), ['code', 'iss']);
});

test('a redirection URI with a query of its own comes back unchanged, with the answer after it [6749 §3.1.2]', async () => {
  const { location = '' } = await allow(browser, await bank.pushed({ redirect_uri: withQuery }));
  assert.equal(location.slice(0, location.indexOf('&code=')), withQuery);
  assert.match(location.slice(withQuery.length), /^&code=[\w-]+&state=the-state&iss=[^&]+$/);
  const code = new URL(location).searchParams.get('code') ?? '';
  assert.equal((await bank.exchange(code, { changes: { redirect_uri: withQuery } })).status, 200);
});

test('only the pushed parameters count, in whatever order others come beside them; a state in the query is neither used nor returned [9101 §5] [FAPI2 5.3.2.2-3]', async () => {
  const beside = {
    response_type: 'token',
    scope: 'repo',
    redirect_uri: withQuery,
    state: 'from-the-query',
    nonce: 'x',
    code_challenge: 'x',
    foo: 'bar',
  };
  for (const arrange of [
    (query: string) => `${query}&${encode(beside)}`,
    (query: string) => `${encode(beside)}&${query}`,
    (query: string) => query.replace('&', `&${encode(beside)}&`),
  ]) {
    const pushed = await bank.pushed({ state: undefined, scope: 'user:name' });
    const answer = await allow(browser, arrange(pushed));
    assert.equal(answer.location?.split('?')[0], printer.redirect_uri);
    const { code = '', ...others } = parametersIn(answer);
    assert.deepEqual(others, { iss: origin });
    assert.equal((await bank.exchange(code)).body['scope'], 'user:name');
  }
});

test('a request that was not pushed gets invalid_request: by a redirect to a registered redirect_uri, otherwise on a page [FAPI2 5.3.2.2-3]', async () => {
  for (const redirect_uri of [printer.redirect_uri, withQuery]) {
    const { status, location = '' } = await browser.open(
      `/authorize?${authorizationQuery({ client_id: 'bank', redirect_uri })}`,
    );
    assert.equal(status, 302);
    assert.equal(location.slice(0, redirect_uri.length), redirect_uri);
    const { error, state, iss, code } = parametersIn({ location } as Page);
    assert.deepEqual([error, state, iss, code], ['invalid_request', 'the-state', origin, undefined]);
  }
  for (const changes of [
    { redirect_uri: undefined },
    { redirect_uri: `${printer.redirect_uri}?a=1` },
    { redirect_uri: 'https://evil.example/' },
    { client_id: 'unknown' },
    { client_id: undefined },
    // the only one that is registered
    { client_id: 'other', redirect_uri: undefined },
  ]) {
    const page = await browser.open(`/authorize?${authorizationQuery({ client_id: 'bank', ...changes })}`);
    assert.deepEqual([page.status, page.location], [400, undefined], JSON.stringify(changes));
    assert.match(page.text, /id="error"><code>invalid_(request|client)</);
  }
  assert.ok(codeIn(await allow(browser, await bank.pushed())));
});

test('a request_uri may be opened twice before it is answered, and is dead afterwards [FAPI2 5.3.2.2 Note 3] [9126 §7.3]', async () => {
  const query = await bank.pushed();
  const first = await browser.visit(`/authorize?${query}`);
  const second = await browser.visit(`/authorize?${query}`);
  for (const { text } of [first, second]) assert.match(text, /id="allow"/);
  assert.ok(codeIn(await browser.submit(second, 'id="allow"')));
  await assertDead(query);
});

test('a request_uri that is unknown, used after a refusal, or of another client leads to an error page that names invalid_request_uri [9126 §4] [9101 §7]', async () => {
  const query = await bank.pushed();
  await assertDead(`${query.slice(0, -1)}${query.endsWith('A') ? 'B' : 'A'}`);
  await assertDead('client_id=bank&request_uri=urn:example:x');
  await assertDead(query.replace('=bank', `=${other.client_id}`));
  await browser.submit(await browser.visit(`/authorize?${query}`), 'id="deny"');
  await assertDead(query);
});

test('a refusal of the person is sent as access_denied with state and iss, and without a code [6749 §4.1.2.1]', async () => {
  const consent = await browser.visit(`/authorize?${await bank.pushed()}`);
  const { error, state, iss, code } = parametersIn(await browser.submit(consent, 'id="deny"'));
  assert.deepEqual([error, state, iss, code], ['access_denied', 'the-state', origin, undefined]);
});

test('signing in and consenting are plain forms; consent is asked each time, and names the client and the scopes [FAPI2 5.3.2.2]', async () => {
  const visitor = new Browser(origin);
  for (const isFirst of [true, false]) {
    const page = await visitor.visit(`/authorize?${await bank.pushed()}`);
    const consent = isFirst ? await visitor.submit(page, 'id="login"', { username: 'alice', password }) : page;
    assert.match(consent.text, /Bank/);
    assert.match(consent.text, /value="user:email"/);
    assert.match(consent.text, /id="deny"/);
    assert.ok(codeIn(await visitor.submit(consent, 'id="allow"')));
  }
});

test('every redirect is a 302, so no browser posts a form again to the client [FAPI2 5.3.2.2-11]', async () => {
  const visitor = new Browser(origin);
  const statuses: number[] = [];
  const follow = async (page: Page): Promise<Page> => {
    if (page.location === undefined) return page;
    statuses.push(page.status);
    assert.ok(statuses.length < 30, 'the redirects lead nowhere');
    return page.location.startsWith('https:') ? page : follow(await visitor.open(page.location));
  };
  const press = async (page: Page, button: string, fields = {}) =>
    follow(await visitor.open(...formRequest(page, button, fields)));
  const login = await follow(await visitor.open(`/authorize?${await bank.pushed()}`));
  const consent = await press(login, 'id="login"', { username: 'alice', password });
  assert.ok(codeIn(await press(consent, 'id="allow"')));
  const denied = await follow(await visitor.open(`/authorize?${await bank.pushed()}`));
  assert.match((await press(denied, 'id="deny"')).location ?? '', /error=access_denied/);
  await follow(await visitor.open(`/authorize?${authorizationQuery({ client_id: 'bank' })}`));
  assert.ok(statuses.length >= 5);
  assert.deepEqual(new Set(statuses), new Set([302]));
});

test('no page of another origin reads an answer of /authorize, not even on the site of the client [FAPI2 5.2.3-3]', async () => {
  const address = `${origin}/authorize?${await bank.pushed()}`;
  for (const method of ['GET', 'OPTIONS']) {
    const headers = { origin: `https://${printer.site_domain}`, 'access-control-request-method': 'GET' };
    const answer = await fetch(address, { method, headers, redirect: 'manual' });
    const shared = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
    assert.deepEqual(shared, [], method);
  }
});

test('with an https issuer, every answer of the flow demands https from then on [FAPI2 5.2.3-1]', async () => {
  const secure = await startLatchkey({ ISSUER: 'https://id.example' }, latchkey.url);
  for (const path of [`/authorize?${await bank.pushed()}`, '/login', '/authorize', '/jwks']) {
    const { headers } = await fetch(secure.origin + path, { redirect: 'manual' });
    assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', path);
  }
});

test('codes, tokens and request_uris cannot be guessed: 256 random bits each [FAPI2 5.4.1-4] [6749 §10.10]', async () => {
  const values: string[] = [];
  for (let count = 0; count < 20; count += 1) {
    const query = await bank.pushed();
    const code = codeIn(await allow(browser, query));
    const { access_token, refresh_token } = (await bank.exchange(code)).body;
    const request_uri = new URLSearchParams(query).get('request_uri') ?? '';
    for (const [value, prefix] of [
      [code, 'lk_ac_'],
      [access_token, 'lk_at_'],
      [refresh_token, 'lk_rt_'],
      [request_uri, 'urn:ietf:params:oauth:request_uri:'],
    ] as const) {
      assert.ok(String(value).startsWith(prefix), prefix);
      const random = String(value).slice(prefix.length, prefix.length + 43);
      assert.match(random, /^[\w-]{43}$/);
      // what a stranger would estimate from the characters of one value alone
      assert.ok(entropyOf(random) > 128, `${random}: ${entropyOf(random)}`);
      values.push(random);
    }
  }
  assert.equal(new Set(values).size, 80);
});

/** Shannon's estimate for a text: bits for each character, times its length. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const bits = [...counts.values()].map((count) => (count / text.length) * Math.log2(text.length / count));
  return bits.reduce((sum, one) => sum + one, 0) * text.length;
}
