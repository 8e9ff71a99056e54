import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { lengthenWaits } from '../../support/attempts.ts';
import { Browser } from '../../support/browser.ts';
import { authorizationQuery, basic, getUser, obtainCode, post, redeem, signedInBrowser } from '../../support/flow.ts';
import { printer, startLatchkey, startWithPrinter } from '../../support/latchkey.ts';
import { invite, metadata, register, sendJson } from '../../support/self-registration.ts';

const { origin, database, logged, url } = await startWithPrinter({
  REGISTRATION_ENDPOINT: 'open',
  ISSUER: 'https://id.latchkey.example',
});
const byInvitation = await startLatchkey({ REGISTRATION_ENDPOINT: 'token' }, url);
const switchedOff = await startLatchkey({}, url);
const alice = await signedInBrowser(byInvitation.origin);

/** Without the limit, of which only its own test makes use. */
async function registerFreely(changes: Record<string, unknown> | string = {}) {
  await database.query('delete from attempts');
  return typeof changes === 'string' ? sendJson(`${origin}/register`, 'POST', changes) : register(origin, changes);
}

const countClients = async () => (await database.query('select count(*)::integer as n from clients')).rows[0].n;

/** Asserts that what would be accepted is refused with one change, and that nothing is stored. */
async function assertRefused(error: string, changes: Record<string, unknown> | string, named?: RegExp) {
  const before = await countClients();
  const begun = process.cpuUsage();
  const { status, body, headers } = await registerFreely(changes);
  // of this process, which includes the server; a busy machine takes longer and works as much
  const { user } = process.cpuUsage(begun);
  assert.ok(user < 1_000_000, `${user} microseconds of work`);
  assert.deepEqual([status, body['error']], [400, error], JSON.stringify(body));
  if (named) assert.match(String(body['error_description']), named);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(await countClients(), before);
}

test('a registration that names a client_id, a secret or anything internal gets a new client, and touches no other [7591 §3.2.1] [A317]', async () => {
  const row = async () =>
    (await database.query('select * from clients where client_id = $1', [printer.client_id])).rows;
  const before = await row();
  for (const client_id of [printer.client_id, '7', 'https://client.example/oauth/client.json']) {
    const { status, body } = await registerFreely({
      client_id,
      client_secret: 'a-secret-of-the-choice-of-the-client-0123',
      token_endpoint_auth_method: 'client_secret_basic',
      resource_server: true,
      vouched: true,
      owner: 'alice',
      required_scopes: ['user:name'],
      disabled_at: null,
    });
    assert.equal(status, 201);
    assert.match(body.client_id, /^app-[0-9a-f]{32}$/);
    assert.match(body.client_secret ?? '', /^lk_cs_/);
    const { rows } = await database.query(
      'select resource_server, vouched, owner_id, required_scopes from clients where client_id = $1',
      [body.client_id],
    );
    assert.deepEqual(rows, [{ resource_server: false, vouched: false, owner_id: null, required_scopes: [] }]);
  }
  assert.deepEqual(await row(), before);
  const { status } = await post(`${origin}/introspect`, { token: 'x' }, { authorization: basic() });
  assert.equal(status, 200);
});

const good = 'https://app.example/cb';
for (const uri of [
  'javascript:alert(1)//',
  'JaVaScRiPt:alert(1)',
  '%09javascript:alert(1)',
  'java\tscript:alert(1)',
  '\tjavascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://app.example/x',
  'https://app.example/cb#f',
  'https://app.example/cb#',
  'https://*.app.example/cb',
  '*',
  'http://app.example/cb',
  'https://user@app.example/cb',
  'https://app.example\\@evil.example/',
  'https://app.example/cb?code=x',
  'https://app.example/cb?state=',
  '/cb',
  'myapp:/cb',
  'https://APP.example/cb',
  'https://app.example/cb\0',
  '',
]) {
  test(`${JSON.stringify(uri)} cannot be registered as a redirection URI, neither alone nor among good ones [A319]`, async () => {
    const code = uri.includes('\0') ? 'invalid_client_metadata' : 'invalid_redirect_uri';
    await assertRefused(code, { redirect_uris: [uri] }, /^redirect_uris/);
    await assertRefused(code, { redirect_uris: [good, uri] }, /^redirect_uris/);
    const { body } = await registerFreely();
    const change = { ...metadata, client_id: body.client_id, redirect_uris: [good, uri] };
    const address = `${origin}/register/${body.client_id}`;
    const changed = await sendJson(address, 'PUT', change, body.registration_access_token);
    assert.deepEqual([changed.status, changed.body['error']], [400, code]);
    const kept = await sendJson(address, 'GET', undefined, body.registration_access_token);
    assert.deepEqual(kept.body['redirect_uris'], [good]);
  });
}

test('a list of redirection URIs that is empty, too long or of other types is refused [A319]', async () => {
  // every one that is wrong, by its number, and outside which domain
  await assertRefused(
    'invalid_redirect_uri',
    { redirect_uris: ['https://app.example/cb', 'https://other.example/cb', 'https://app.example/cb#x'] },
    /^redirect_uris: outside domain app\.example \(URI 2\), has fragment \(URI 3\)$/,
  );
  await assertRefused('invalid_redirect_uri', { redirect_uris: [] }, /redirect_uris: missing/);
  await assertRefused('invalid_redirect_uri', { redirect_uris: undefined }, /redirect_uris: missing/);
  const many = Array.from({ length: 51 }, (_, index) => `https://app.example/${index}`);
  await assertRefused('invalid_redirect_uri', { redirect_uris: many }, /redirect_uris: too many/);
  for (const redirect_uris of [good, [null], [[good]], [7], { 0: good }]) {
    await assertRefused('invalid_client_metadata', { redirect_uris });
  }
  const confidential = { redirect_uris: ['com.app:/cb'], token_endpoint_auth_method: 'client_secret_basic' };
  await assertRefused('invalid_redirect_uri', confidential, /private use scheme/);
  const loopback = { redirect_uris: [good, 'http://127.0.0.1/cb'], token_endpoint_auth_method: 'client_secret_basic' };
  await assertRefused('invalid_redirect_uri', loopback, /not https/);
});

test('the site of a client is the host of its redirection URI, not the domain above it [A320]', async () => {
  for (const host of ['a.github.io', 'evil.co.uk', 'xn--prnter-4va.example', 'deep.below.app.example']) {
    const { status, body } = await registerFreely({ redirect_uris: [`https://${host}/cb`] });
    assert.equal(status, 201, host);
    const { rows } = await database.query('select site_domain from clients where client_id = $1', [body.client_id]);
    assert.deepEqual(rows, [{ site_domain: host }]);
  }
});

for (const redirect_uris of [
  ['https://github.io/cb'],
  ['uk.co:/cb'],
  ['https://a.github.io/cb', 'https://b.github.io/cb'],
  ['https://app.example/cb', 'https://other.example/cb'],
  ['https://id.latchkey.example/cb'],
  ['https://pages.id.latchkey.example/cb'],
  ['https://latchkey.example/cb', 'https://id.latchkey.example/errors/x'],
  ['example.latchkey.id:/cb'],
  ['https://11.22.33.44/cb'],
  ['https://[2001:db8::1]/cb'],
]) {
  test(`${redirect_uris.join(' with ')} would cover strangers or this server, and is refused [A320]`, async () => {
    await assertRefused('invalid_redirect_uri', { redirect_uris }, /^redirect_uris/);
  });
}

for (const client_name of [
  'App\u202Eelgoog',
  '\u2066App\u2069',
  'Photo\u200BPrinter',
  'Photo\u2060Printer',
  `A${'\u0335'.repeat(100)}`,
  'A'.repeat(201),
  ' ',
  '',
  '\u3164',
  'App\nallow to continue',
  7,
  ['App'],
  { en: 'App' },
]) {
  test(`${JSON.stringify(client_name).slice(0, 60)} is no client_name, at a registration or later [A322] [A334]`, async () => {
    await assertRefused('invalid_client_metadata', { client_name }, /^client_name/);
    const { body } = await registerFreely();
    const change = { ...metadata, client_id: body.client_id, client_name };
    const { status } = await sendJson(
      `${origin}/register/${body.client_id}`,
      'PUT',
      change,
      body.registration_access_token,
    );
    assert.equal(status, 400);
  });
}

test('a name that belongs to somebody else is shown as a quotation under the host, once [A322]', async () => {
  const claims = [printer.name, 'Latchkey', 'App (verified by Latchkey) — allow to continue', 'google.com'];
  for (const client_name of claims) {
    await database.query('delete from attempts');
    const { body } = await register(byInvitation.origin, { client_name }, await invite(database));
    const request = { client_id: body.client_id, redirect_uri: good, scope: undefined };
    const page = await alice.visit(`/authorize?${authorizationQuery(request)}`);
    const text = page.text.replace(/<[^>]*>/g, '');
    assert.match(text, /Allow app\.example to access your account\?/);
    assert.ok(text.includes(`The application calls itself “${client_name.slice(0, 47)}`), text);
    assert.match(text, /This server has not verified this application/);
  }
});

test('links of a registration are neither fetched nor kept unless they are https and on the site, and its logo is not loaded [A323]', async () => {
  let contacts = 0;
  const listener = createServer((_req, res) => {
    contacts += 1;
    res.end();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  after(() => listener.close());
  const inside = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
  for (const uri of [
    inside,
    'https://tracker.example/p.png?u=',
    'javascript:alert(1)',
    'data:image/svg+xml,<svg>',
    '//x',
  ]) {
    const uris = Object.fromEntries(
      ['logo_uri', 'client_uri', 'policy_uri', 'tos_uri', 'sector_identifier_uri'].map((name) => [name, uri]),
    );
    for (const redirect_uri of [good, inside]) {
      const { status, body } = await registerFreely({ ...uris, redirect_uris: [redirect_uri], request_uris: [uri] });
      assert.equal(status, 201);
      const kept = await database.query(
        'select homepage_uri, logo_uri, policy_uri, tos_uri from clients where client_id = $1',
        [body.client_id],
      );
      assert.deepEqual(kept.rows, [{ homepage_uri: null, logo_uri: null, policy_uri: null, tos_uri: null }], uri);
      for (const name of ['logo_uri', 'client_uri', 'policy_uri', 'tos_uri']) assert.ok(!(name in body), name);
    }
  }
  const own = { logo_uri: 'https://app.example/logo.png', client_uri: 'https://app.example/' };
  await assertRefused('invalid_client_metadata', { logo_uri: `https://app.example/${'x'.repeat(2000)}` });
  const { body } = await register(byInvitation.origin, own, await invite(database));
  assert.equal(body['logo_uri'], own.logo_uri);
  const query = authorizationQuery({ client_id: body.client_id, redirect_uri: good, scope: undefined });
  const { text, headers } = await alice.visit(`/authorize?${query}`);
  assert.doesNotMatch(text + headers.get('content-security-policy'), /logo\.png|img-src[^;]*app\.example/);
  assert.equal(contacts, 0);
});

test('of fifty simultaneous registrations with an invitation for one, exactly one succeeds [A326]', async () => {
  const token = await invite(database);
  const before = await countClients();
  const answers = await Promise.all(Array.from({ length: 50 }, () => register(byInvitation.origin, {}, token)));
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [201, ...Array<number>(49).fill(401)]);
  assert.equal(await countClients(), before + 1);
});

test('a registration that is refused leaves the invitation unused [A326]', async () => {
  const token = await invite(database);
  const refused = await register(byInvitation.origin, { redirect_uris: ['https://github.io/cb'] }, token);
  assert.equal(refused.status, 400);
  assert.equal((await register(byInvitation.origin, { redirect_uris: ['http://app.example/'] }, token)).status, 400);
  assert.equal((await register(byInvitation.origin, {}, token)).status, 201);
});

test('only a live initial access token in the Authorization header permits a registration [7591 §3] [A326]', async () => {
  const { origin } = byInvitation;
  const token = await invite(database, 100);
  const { body } = await register(origin, {}, token);
  const expired = await invite(database);
  await database.query(`update invitations set expires_at = now() where uses_left = 1`);
  const withdrawn = await invite(database);
  await post(`${origin}/leaked`, { token: withdrawn }, { authorization: '' });
  const { access_token } = (await redeem(origin, await obtainCode(alice))).body;
  await database.query("update users set is_admin = true where username = 'alice'");
  const before = await countClients();
  for (const wrong of [
    expired,
    withdrawn,
    access_token,
    body.registration_access_token,
    `${token}x`,
    token.slice(0, -1),
  ]) {
    const answer = await register(origin, {}, String(wrong));
    assert.deepEqual([answer.status, answer.body['error']], [401, 'invalid_token']);
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer error="invalid_token"$/);
  }
  const without = await register(origin);
  assert.deepEqual([without.status, without.headers.get('www-authenticate')], [401, 'Bearer']);
  const inQuery = await sendJson(`${origin}/register?access_token=${token}`, 'POST', metadata);
  const inBody = await register(origin, { access_token: token });
  const byBasic = await fetch(`${origin}/register`, {
    method: 'POST',
    headers: { authorization: basic(), 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  assert.deepEqual([inQuery.status, inBody.status, byBasic.status], [401, 401, 401]);
  assert.equal(await countClients(), before);
  assert.doesNotMatch([...logged, ...byInvitation.logged].join(''), /lk_(it|ra)_/);
  const { rows } = await database.query('select t::text as line from invitations t');
  assert.ok(!rows.some(({ line }) => line.includes('lk_it_')));
  assert.equal((await register(origin, {}, token)).status, 201);
});

test('switched off, the addresses do not exist, and the metadata does not name them [A326]', async () => {
  const token = await invite(database);
  const { body } = await registerFreely();
  const { origin } = switchedOff;
  const address = `${origin}/register/${body.client_id}`;
  assert.equal((await register(origin, {}, token)).status, 404);
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const change = method === 'PUT' ? { ...metadata, client_id: body.client_id } : undefined;
    assert.equal((await sendJson(address, method, change, body.registration_access_token)).status, 404, method);
  }
  const described = await (await fetch(`${origin}/.well-known/oauth-authorization-server`)).json();
  assert.ok(!('registration_endpoint' in described));
});

const filler = (length: number) => JSON.stringify({ ...metadata, x: 'x'.repeat(length) });
test('bodies that are large, deep, of another type or ambiguous are refused, and nothing is stored [A334]', async () => {
  for (const body of [filler(2 * 1024 * 1024), filler(20_000), '['.repeat(65_536)]) {
    const { status, body: answer } = await registerFreely(body);
    assert.deepEqual([status, answer['error']], [413, 'invalid_request']);
  }
  const [bad] = ['https://evil.example/cb'];
  for (const body of [
    `${'['.repeat(8000)}${']'.repeat(8000)}`,
    `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`.slice(0, 16_000),
    '[]',
    '"x"',
    'null',
    '',
    '{',
    `{"redirect_uris":["${good}"],"redirect_uris":["${bad}"]}`,
    `{"redirect_uris":["${bad}"],"redirect_uris":["${good}"]}`,
    `{"redirect_uris":["${good}"],"redirect\\u005furis":["${bad}"]}`,
    `{"redirect_uris":["${good}"],"jwks":{"keys":[],"keys":[{"a":"}"}]}}`,
  ]) {
    await assertRefused('invalid_request', body);
  }
  const form = await fetch(`${origin}/register`, {
    method: 'POST',
    body: new URLSearchParams({ redirect_uris: good }),
  });
  assert.equal(form.status, 400);
  for (const change of [
    { scope: 'nonsense' },
    { scope: 'openid' },
    { scope: ['user'] },
    { grant_types: ['client_credentials'] },
    { grant_types: ['refresh_token'] },
    { grant_types: 'authorization_code' },
    { response_types: ['token'] },
    { client_uri: 7 },
    { client_name: 'x'.repeat(12_000) },
  ]) {
    await assertRefused('invalid_client_metadata', change);
  }
});

test('whatever the members are, the answer is a registration or a refusal, and what is registered can be read back [A334]', async () => {
  const { origin } = byInvitation;
  const token = await invite(database, 100_000);
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  const uri = fc.constantFrom(
    good,
    'http://127.0.0.1:1/',
    'app.example:/cb',
    'https://app.example:0/',
    '\ud800',
    'com.:/',
    'a:b',
  );
  const known: Record<string, fc.Arbitrary<unknown>> = {
    redirect_uris: fc.array(fc.oneof(uri, text), { maxLength: 3 }),
    client_name: text,
    client_uri: fc.oneof(uri, text),
    logo_uri: fc.oneof(uri, text),
    scope: fc.oneof(fc.constantFrom('user', 'user:name repo', 'openid user'), text),
    grant_types: fc.array(fc.constantFrom('authorization_code', 'refresh_token', 'x')),
    response_types: fc.array(fc.constantFrom('code', 'token')),
    token_endpoint_auth_method: fc.constantFrom('none', 'client_secret_basic', 'client_secret_post', 'x'),
  };
  const oneSpoilt = fc
    .constantFrom(...Object.keys(known))
    .chain((name) =>
      fc.tuple(fc.constant(name), fc.oneof({ weight: 3, arbitrary: known[name] ?? fc.nat() }, fc.jsonValue())),
    );
  let registered = 0;
  const property = fc.asyncProperty(fc.array(oneSpoilt, { maxLength: 3 }), async (changes) => {
    const { status, body } = await register(origin, Object.fromEntries(changes), token);
    if (status !== 201) {
      assert.equal(status, 400);
      assert.match(String(body['error']), /^invalid_(redirect_uri|client_metadata)$/);
      return;
    }
    registered += 1;
    const { client_secret, client_secret_expires_at, ...stated } = body;
    const address = `${origin}/register/${body.client_id}`;
    const read = await sendJson(address, 'GET', undefined, body.registration_access_token);
    assert.deepEqual(read.body, stated);
    await database.query('delete from clients where client_id = $1', [body.client_id]);
  });
  await fc.assert(property, { numRuns: 400, seed: 1 });
  assert.ok(registered > 20, `${registered} of 400`);
});

test('many unknown members cost nothing and are not stored, and a software statement changes nothing [7591 §2.3] [A334]', async () => {
  const tags = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`client_name#x${index}`, 'Name']));
  const many = await registerFreely({ ...tags, contacts: Array.from({ length: 500 }, () => 'a@b.example') });
  assert.equal(many.status, 201);
  const claims = { redirect_uris: ['https://evil.example/cb'], scope: 'user:write', client_name: 'Bank' };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const software_statement of [`${part({ alg: 'none' })}.${part(claims)}.`, 'x'.repeat(10_000), 7]) {
    const { status, body } = await registerFreely({ software_statement });
    assert.deepEqual([status, body['redirect_uris'], body['scope']], [201, [good], 'user:name']);
    assert.equal(body['client_name'], 'App');
  }
});

const faults = {
  'an unknown scope': [{ scope: 'nope' }, 'invalid_scope'],
  'another response_type': [{ response_type: 'token' }, 'unsupported_response_type'],
  'a malformed code_challenge': [{ code_challenge: 'x' }, 'invalid_request'],
  'prompt=none': [{ prompt: 'none' }, 'login_required'],
  'form_post and an error': [{ response_mode: 'form_post', scope: 'nope' }, 'invalid_scope'],
  'two states': [{ state: ['a', 'b'] }, 'invalid_request'],
} as const;

for (const [fault, [changes, error]] of Object.entries(faults)) {
  test(`a client that registered itself cannot have a browser redirected by ${fault} [9700 §4.11.2] [A335]`, async () => {
    const { origin } = byInvitation;
    const { body } = await register(origin, {}, await invite(database));
    const request = { client_id: body.client_id, redirect_uri: good, scope: undefined, ...changes };
    const query = authorizationQuery(request as Parameters<typeof authorizationQuery>[0]);
    for (const path of ['/authorize', '/login/oauth/authorize']) {
      const page = await new Browser(origin).open(`${path}?${query}`);
      // at the GitHub-compatible endpoint, scopes that are unknown are ignored, and the person signs in
      if (page.location?.startsWith('/login/oauth/login?')) continue;
      assert.deepEqual([page.status, page.location], [400, undefined], `${path} ${page.location}`);
      assert.match(page.text, new RegExp(`id="error"><code>${error}<`));
      assert.match(page.text, /Continue to app\.example\?/);
      assert.doesNotMatch(page.text, /http-equiv|form-post\.js/);
    }
  });
}

test('prompt=none of a client that registered itself needs a click even from a person who has allowed it before [A335]', async () => {
  const { origin } = byInvitation;
  const confidential = { token_endpoint_auth_method: 'client_secret_basic' };
  const { body } = await register(origin, confidential, await invite(database));
  const request = { client_id: body.client_id, redirect_uri: good, scope: 'user:name' };
  const page = await alice.open(`/authorize?${authorizationQuery({ ...request, prompt: 'none' })}`);
  assert.deepEqual([page.status, page.location], [400, undefined]);
  const code = await obtainCode(alice, request);
  const authorization = basic(body.client_id, body.client_secret);
  const tokens = await redeem(origin, code, { redirect_uri: good }, { authorization });
  assert.equal((await getUser(origin, tokens.body['access_token'])).status, 200);
});

test('an address registers at most thirty clients in a quarter of an hour before it has to wait', async () => {
  await database.query('delete from attempts');
  await lengthenWaits(database);
  const statuses: number[] = [];
  for (let n = 0; n < 31; n += 1) statuses.push((await register(origin)).status);
  assert.deepEqual(statuses, [...Array<number>(30).fill(201), 429]);
  const { status, headers, body } = await register(origin);
  assert.deepEqual([status, body['error']], [429, 'too_many_requests']);
  assert.ok(Number(headers.get('retry-after')) > 0);
});
