import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf } from '../../../src/lib/secrets.ts';
import { textsIn } from '../../../src/web/texts.ts';
import { Browser } from '../../support/browser.ts';
import { createDpopKey, proofFor } from '../../support/dpop.ts';
import {
  authorizationQuery,
  basic,
  codeIn,
  encode,
  obtainCode,
  post,
  redeem,
  signedInBrowser,
} from '../../support/flow.ts';
import { printer, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { unescapeHtml } from '../../support/shown-program.ts';

const one = await startLatchkey();
const two = await startLatchkey({ ISSUER: one.origin }, one.url);
const { origin, database } = one;
await registerPeople(database);
await registerPrinter(database);
await registerPrinter(database, { client_id: 'other' });
await registerPrinter(database, { client_id: 'app', client_secret: null });
const browser = await signedInBrowser(origin);

type Changes = Parameters<typeof authorizationQuery>[0];

const request = (changes: Changes = {}) => Object.fromEntries(new URLSearchParams(authorizationQuery(changes)));
const push = (changes: Changes = {}, headers = {}) => post(`${origin}/par`, request(changes), headers);

/** The query with which a browser continues a pushed request. */
async function pushed(changes: Changes = {}): Promise<string> {
  const { status, body } = await push(changes);
  assert.equal(status, 201, JSON.stringify(body));
  return encode({ client_id: printer.client_id, request_uri: String(body['request_uri']) });
}

async function assertDead(query: string, path = '/authorize') {
  const page = await browser.open(`${path}?${query}`);
  assert.deepEqual([page.status, page.location], [400, undefined]);
  assert.match(page.text, /id="error"><code>invalid_request_uri</);
}

test('a pushed request is answered with a request_uri, and leads to a code and tokens [9126 §2.2]', async () => {
  const { status, headers, body } = await push();
  assert.equal(status, 201);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.match(String(body['request_uri']), /^urn:ietf:params:oauth:request_uri:[\w-]{43}$/);
  assert.ok(Number(body['expires_in']) >= 60 && Number(body['expires_in']) <= 90);
  const query = encode({ client_id: printer.client_id, request_uri: String(body['request_uri']) });
  const code = codeIn(await browser.submit(await browser.visit(`/authorize?${query}`), 'id="allow"'));
  assert.equal((await redeem(origin, code)).status, 200);
});

test('each page of a pushed request with a sign-in reads it once, and only the first one writes', async () => {
  const path = `/authorize?${await pushed({ prompt: 'consent' })}`;
  const { query } = database;
  let reads = 0;
  const counted = (statement: { name?: string }, ...rest: unknown[]) => {
    if (statement.name === 'open_pushed_request') reads += 1;
    return Reflect.apply(query, database, [statement, ...rest]);
  };
  database.query = counted as typeof query;
  /** How often a page reads it, and the page. */
  const readsOf = async <T>(visit: () => Promise<T>): Promise<[number, T]> => {
    reads = 0;
    const page = await visit();
    return [reads, page];
  };
  try {
    const visitor = new Browser(origin);
    const [atFirst, redirect] = await readsOf(() => visitor.open(path));
    const versions = () => database.query('select xmin from pushed_requests where opened_at is not null');
    const { rows: written } = await versions();
    const [atLogin, login] = await readsOf(() => visitor.open(redirect.location ?? ''));
    const credentials = { username: 'alice', password: 'wonderland' };
    const [atSignIn, consent] = await readsOf(() => visitor.submit(login, 'id="login"', credentials));
    const [again, page] = await readsOf(() => visitor.open(path));
    assert.match(page.text, /id="allow"/);
    assert.ok(consent.status < 400);
    assert.deepEqual([atFirst, atLogin, again], [1, 1, 1]);
    // the form, and the page to which it leads
    assert.ok(atSignIn <= 2, `${atSignIn}`);
    assert.deepEqual((await versions()).rows, written);
  } finally {
    database.query = query;
  }
});

test('only the pushed parameters count, in whatever order others come beside them [9101 §5] [FAPI2 5.3.2.2-3]', async () => {
  const other = {
    redirect_uri: 'https://evil.example/',
    scope: 'nope',
    response_type: 'token',
    state: 'from the query',
  };
  for (const query of [`${await pushed()}&${encode(other)}`, `${encode(other)}&${await pushed()}`]) {
    const answer = await browser.visit(`/authorize?${query}`);
    const { origin: host, searchParams } = new URL(answer.location ?? '');
    assert.equal(host, 'https://printer.example');
    assert.deepEqual([searchParams.get('state'), searchParams.get('iss')], ['the-state', origin]);
    assert.ok(searchParams.get('code'));
  }
  const stateless = await browser.visit(`/authorize?${await pushed({ state: undefined })}&state=from-the-query`);
  assert.equal(new URL(stateless.location ?? '').searchParams.get('state'), null);
});

test('a state of a thousand characters comes back whole [FAPI2 5.3.2.2 Note 4]', async () => {
  const state = 'ä '.repeat(500);
  const answer = await browser.visit(`/authorize?${await pushed({ state })}`);
  assert.equal(new URL(answer.location ?? '').searchParams.get('state'), state);
});

test('a page can be reloaded, and a person can sign in and change the language, before the answer [FAPI2 5.3.2.2 Note 3]', async () => {
  const visitor = new Browser(origin);
  const query = await pushed({ prompt: 'consent', ui_locales: 'en' });
  for (const language of ['', '&ui_locales=de']) {
    const login = await visitor.visit(`/authorize?${query}${language}`);
    assert.match(login.text, /id="login"/);
  }
  const consent = await visitor.submit(await visitor.visit(`/authorize?${query}`), 'id="login"', {
    username: 'alice',
    password: 'wonderland',
  });
  assert.match(consent.text, /id="allow"/);
  const again = await visitor.visit(`/authorize?${query}`);
  assert.ok(codeIn(await visitor.submit(again, 'id="allow"')));
  await assertDead(query);
});

test('prompt=login and login_hint are read from the pushed request', async () => {
  const query = await pushed({ prompt: 'login', login_hint: 'ada' });
  const login = await browser.visit(`/authorize?${query}`);
  assert.match(login.text, /value="ada"/);
  assert.ok(codeIn(await browser.submit(login, 'id="login"', { username: 'alice', password: 'wonderland' })));
});

test('a person who reads for longer than the request_uri lives can still answer', async () => {
  const query = await pushed({ prompt: 'consent' });
  const consent = await browser.visit(`/authorize?${query}`);
  await database.query('update pushed_requests set expires_at = now()');
  assert.ok(codeIn(await browser.submit(consent, 'id="allow"')));
});

test('a request_uri is used up by a code and by a refusal [9126 §7.3] [A113]', async () => {
  const allowed = await pushed({ prompt: 'consent' });
  assert.ok(codeIn(await browser.submit(await browser.visit(`/authorize?${allowed}`), 'id="allow"')));
  await assertDead(allowed);
  const refused = await pushed({ prompt: 'consent' });
  const answer = await browser.submit(await browser.visit(`/authorize?${refused}`), 'id="deny"');
  const { searchParams } = new URL(answer.location ?? '');
  assert.deepEqual([searchParams.get('error'), searchParams.get('iss')], ['access_denied', origin]);
  await assertDead(refused);
});

for (const language of ['en', 'de', 'fr', 'es', 'zh'] as const) {
  test(`a link that was used, expired or cut short tells the person in ${language} to start again in the application`, async () => {
    const link = `/authorize?client_id=${printer.client_id}&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3Aused`;
    const { status, text } = await new Browser(origin).visit(`${link}&ui_locales=${language}`);
    const texts = textsIn(language);
    assert.equal(status, 400);
    const said = unescapeHtml(text);
    assert.ok(said.includes(texts['error_text.invalid_request_uri']));
    for (const key of ['error_text.application', 'hint.not_redirected'] as const)
      assert.ok(!said.includes(texts[key]), key);
  });
}

test('of twenty forms for one request_uri exactly one leads to a code [A115]', async () => {
  const query = await pushed({ prompt: 'consent' });
  const forms = await Promise.all(Array.from({ length: 20 }, () => browser.visit(`/authorize?${query}`)));
  const answers = await Promise.all(forms.map((form) => browser.submit(form, 'id="allow"')));
  assert.equal(answers.filter(({ location }) => location?.includes('code=')).length, 1);
});

test('a request_uri is good for any instance', async () => {
  const query = await pushed();
  const page = await fetch(`${two.origin}/authorize?${query}`, { redirect: 'manual' });
  assert.match(page.headers.get('location') ?? '', /\/login\?/);
});

test('an expired request_uri is refused, also at the very second [A116]', async () => {
  const query = await pushed();
  await database.query('update pushed_requests set expires_at = now()');
  await assertDead(query);
});

test('a request_uri of another client, an unknown one and a foreign address are refused without a redirect [9126 §7.3] [A112]', async () => {
  const query = await pushed();
  await assertDead(query.replace(printer.client_id, 'other'));
  await assertDead(query.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')));
  for (const request_uri of ['bogus', 'https://printer.example/request', 'http://127.0.0.1:9/x']) {
    await assertDead(authorizationQuery({ request_uri }));
  }
  assert.ok(codeIn(await browser.visit(`/authorize?${query}`)));
});

test('a pushed request is not for the GitHub-compatible endpoint', async () => {
  const query = await pushed();
  await assertDead(query, '/login/oauth/authorize');
  assert.ok(codeIn(await browser.visit(`/authorize?${query}`)));
});

test('request_uri needs a client_id, and is sent once', async () => {
  const query = await pushed();
  for (const bad of [query.replace(/client_id=[^&]*&/, ''), `${query}&request_uri=x`, `${query}&client_id=x`]) {
    const page = await browser.open(`/authorize?${bad}`);
    assert.deepEqual([page.status, page.location], [400, undefined]);
  }
  assert.ok(codeIn(await browser.visit(`/authorize?${query}`)));
});

for (const [what, changes, error] of [
  ['no code_challenge of a public client', { code_challenge: undefined, client_id: 'app' }, 'invalid_request'],
  ['code_challenge_method=plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['an unregistered redirect_uri [A109]', { redirect_uri: 'https://evil.example/' }, 'invalid_request'],
  ['a request_uri', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 'invalid_request'],
  ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
  ['an unknown scope', { scope: 'nope' }, 'invalid_scope'],
  ['an unknown resource', { resource: 'https://nope.example' }, 'invalid_target'],
  ['a malformed prompt', { prompt: 'junk' }, 'invalid_request'],
] as const) {
  test(`a pushed request with ${what} is refused at once, as JSON, and nothing is stored [9126 §2.3] [A110]`, async () => {
    const count = async () => (await database.query('select count(*) from pushed_requests')).rows[0].count;
    const before = await count();
    const isPublic = 'client_id' in changes;
    const { status, headers, body } = await push(changes, isPublic ? { authorization: '' } : {});
    assert.deepEqual([status, body['error']], [400, error]);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(await count(), before);
  });
}

test('a client must authenticate to push a request, and pushes only its own [A107]', async () => {
  const wrong = basic(printer.client_id, `${printer.client_secret}x`);
  for (const headers of [{ authorization: '' }, { authorization: wrong }]) {
    const { status, body } = await push({}, headers);
    assert.deepEqual([status, body['error']], [401, 'invalid_client']);
  }
  const { status, body } = await push({ client_id: 'other' });
  assert.deepEqual([status, body['error']], [400, 'invalid_request']);
});

test('a public client pushes without authentication, and its address is limited [A119]', async () => {
  const statuses = [];
  for (let count = 0; count < 110; count += 1) {
    statuses.push((await push({ client_id: 'app' }, { authorization: '' })).status);
  }
  assert.deepEqual([...new Set(statuses)], [201, 429]);
  assert.equal((await push()).status, 201);
});

test('a client for which no administrator vouches cannot fill the database with pushed requests [A119]', async () => {
  const query = 'update clients set vouched = $1 where client_id = $2';
  await database.query(query, [false, printer.client_id]);
  assert.equal((await push()).status, 201);
  // as if it had pushed a thousand within this quarter of an hour
  await database.query('update attempts set attempts = 1000');
  assert.equal((await push()).status, 201);
  const { status, headers } = await push();
  assert.deepEqual([status, headers.has('retry-after')], [429, true]);
  await database.query(query, [true, printer.client_id]);
  assert.equal((await push()).status, 201);
});

for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
  test(`${method} /par is answered with 405 [9126 §2.3]`, async () => {
    const { status, headers } = await fetch(`${origin}/par`, { method });
    assert.deepEqual([status, headers.get('allow')], [405, 'POST']);
  });
}

test('a body that is too large is refused with 413 [A118]', async () => {
  const { status } = await push({ state: 'x'.repeat(200_000) });
  assert.equal(status, 413);
});

test('what is stored contains neither the request_uri nor credentials of the client', async () => {
  const { client_id, client_secret } = printer;
  const { body } = await post(`${origin}/par`, { ...request(), client_id, client_secret }, { authorization: '' });
  const { rows } = await database.query('select * from pushed_requests where request_sha256 = $1', [
    digestOf(String(body['request_uri'])),
  ]);
  assert.equal(rows.length, 1);
  assert.doesNotMatch(JSON.stringify(rows), /client_secret|request_uri:/);
});

test('of a pushed request nothing is stored that is not used: no unknown parameter, no hint that cannot be a username', async () => {
  const noise = 'x'.repeat(3000);
  const { status, body } = await push({
    zq: noise,
    login_hint: noise,
    nonce: noise,
    prompt: 'consent',
    resource: origin,
  });
  assert.equal(status, 201);
  const { rows } = await database.query('select parameters from pushed_requests where request_sha256 = $1', [
    digestOf(String(body['request_uri'])),
  ]);
  const stored = [...new URLSearchParams(rows[0].parameters).keys()].sort();
  assert.deepEqual(stored, [...Object.keys(request()), 'prompt', 'resource'].sort());
  const query = encode({ client_id: printer.client_id, request_uri: String(body['request_uri']) });
  assert.ok(codeIn(await browser.submit(await browser.visit(`/authorize?${query}`), 'id="allow"')));
});

test('a hundred parameters and a DPoP proof beside them can be pushed and opened', async () => {
  const count = 100 - Object.keys(request()).length;
  const noise = Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, 'x']));
  const dpop = await proofFor(await createDpopKey(), `${origin}/par`);
  const { status, body } = await push(noise, { dpop });
  assert.equal(status, 201);
  const query = encode({ client_id: printer.client_id, request_uri: String(body['request_uri']) });
  assert.ok(codeIn(await browser.visit(`/authorize?${query}`)));
});

test('a client that must push its requests cannot send them by the browser [9126 §6] [A100]', async () => {
  await database.query(
    "update clients set require_pushed_authorization_requests = true where client_id = 'photo-printer'",
  );
  const { location } = await browser.open(`/authorize?${authorizationQuery()}`);
  assert.match(location ?? '', /^https:\/\/printer\.example\/callback\?error=invalid_request&/);
  const unregistered = await browser.open(
    `/authorize?${authorizationQuery({ redirect_uri: 'https://evil.example/' })}`,
  );
  assert.deepEqual([unregistered.status, unregistered.location], [400, undefined]);
  assert.match(
    (await browser.open(`/login/oauth/authorize?${authorizationQuery()}`)).location ?? '',
    /error=invalid_request/,
  );
  assert.ok(codeIn(await browser.visit(`/authorize?${await pushed()}`)));
  await database.query('update clients set require_pushed_authorization_requests = false');
  assert.ok(await obtainCode(browser));
});

test('the profile fapi2 demands PKCE, asks the person each time, and its codes live for a minute [FAPI2 5.3.2.1-11, 5.3.2.2-5]', async () => {
  await database.query("update clients set profile = 'fapi2' where client_id = 'photo-printer'");
  const withoutPkce = await push({ code_challenge: undefined, code_challenge_method: undefined });
  assert.deepEqual([withoutPkce.status, withoutPkce.body['error']], [400, 'invalid_request']);
  const consent = await browser.visit(`/authorize?${await pushed()}`);
  assert.match(consent.text, /id="allow"/);
  assert.ok(codeIn(await browser.submit(consent, 'id="allow"')));
  const { rows } = await database.query(
    'select extract(epoch from expires_at - issued_at)::integer as ttl from authorization_codes order by code_id desc limit 1',
  );
  assert.equal(rows[0].ttl, 60);
  await database.query('update clients set profile = null');
});
