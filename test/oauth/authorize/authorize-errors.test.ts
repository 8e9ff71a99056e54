import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser } from '../../support/browser.ts';
import { authorizationQuery, challenge, codeIn, obtainCode, signedInBrowser } from '../../support/flow.ts';
import { printer, registerPrinter, startWithPrinter } from '../../support/latchkey.ts';

const { origin, database } = await startWithPrinter();
const loopback = { site_domain: 'localhost', client_secret: null };
await registerPrinter(database, {
  client_id: 'native',
  ...loopback,
  redirect_uris: ['http://127.0.0.1/cb', 'http://[::1]:8000/cb'],
});
await registerPrinter(database, { client_id: 'query', redirect_uris: ['https://printer.example/cb?tenant=1'] });
await registerPrinter(database, {
  client_id: 'scheme',
  client_secret: null,
  redirect_uris: ['example.printer.app:/cb'],
});
await registerPrinter(database, { client_id: 'small', scopes: ['user:name'] });
await registerPrinter(database, { client_id: 'refreshing', grant_types: ['refresh_token'] });
const browser = await signedInBrowser(origin);
await obtainCode(browser, { scope: 'user' });

/** 400, a page, and no way out of this server in it. */
async function assertPage(query: string, code = 'invalid_request'): Promise<void> {
  const page = await browser.open(`/authorize?${query}`);
  assert.equal(page.status, 400, query);
  assert.equal(page.location, undefined);
  assert.match(page.text, new RegExp(`id="error"[^]*${code}`));
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  assert.doesNotMatch(page.text, /evil/);
}

const strangers: [title: string, query: string, code?: string][] = [
  ['no client_id [A41]', authorizationQuery({ client_id: undefined })],
  ['an unknown client_id', authorizationQuery({ client_id: 'nobody' }), 'invalid_client'],
  ['a client_id in another case [A32]', authorizationQuery({ client_id: 'Photo-Printer' }), 'invalid_client'],
  ['two client_ids [A43]', authorizationQuery({ client_id: [printer.client_id, 'native'] })],
  ['two redirect_uris [A44]', authorizationQuery({ redirect_uri: [printer.redirect_uri, 'https://evil.example/'] })],
  [
    'two redirect_uris, the registered one last [A44]',
    authorizationQuery({ redirect_uri: ['https://evil.example/', printer.redirect_uri] }),
  ],
  ['no redirect_uri although two are registered', authorizationQuery({ client_id: 'native', redirect_uri: undefined })],
  ['NUL in client_id [A28]', `${authorizationQuery({ client_id: undefined })}&client_id=a%00`],
  ['invalid UTF-8 in the query [A26]', `${authorizationQuery({ state: undefined })}&state=%ff`],
  ['an overlong encoding in the query [A26]', `${authorizationQuery({ state: undefined })}&state=%c0%80`],
  ['an incomplete percent escape in the query [A26]', `${authorizationQuery()}&x=%`],
  ['hundreds of parameters', `${authorizationQuery()}${'&a=1'.repeat(200)}`],
];
for (const [title, query, code] of strangers) {
  test(`an authorization request with ${title} gets an error page and no redirect`, () => assertPage(query, code));
}

/** Redirection URIs that a comparison after parsing or normalising could take for the registered one. */
const tricks: [redirect_uri: string, row: string][] = [
  ['https://evil.example/cb', 'A46'],
  ['https://printer.example/CALLBACK', 'A49'],
  ['https://printer.example/callback/', 'A50'],
  ['https://printer.example/callback?', 'A50'],
  ['https://printer.example/callback?x=1', 'A50'],
  ['https://printer.example/callback#', 'A50'],
  ['HTTPS://printer.example/callback', 'A52'],
  ['https://PRINTER.example/callback', 'A52'],
  ['https://printer.example:443/callback', 'A53'],
  ['https://printer.example:/callback', 'A53'],
  ['https://printer.example:0443/callback', 'A53'],
  ['http://printer.example/callback', 'A62'],
  ['https://printer.example./callback', 'A59'],
  ['https://user@printer.example/callback', 'A55'],
  ['https://printer.example@evil.example/callback', 'A55'],
  ['https://printer%2eexample/callback', 'A55'],
  ['https://printer.example\\@evil.example/callback', 'A56'],
  ['https:\\\\printer.example\\callback', 'A56'],
  [' https://printer.example/callback', 'A58'],
  ['https://printer.example/callback\n', 'A58'],
  ['https://printer.example/call\tback', 'A58'],
  ['https://printer.example/./callback', 'A61'],
  ['https://printer.example/x/../callback', 'A61'],
  ['https://printer.example/%63allback', 'A61'],
  ['https://printer.example/callback/%2e%2e', 'A61'],
  ['https://printer。example/callback', 'A59'],
  ['https://ｐrinter.example/callback', 'A59'],
  ['//printer.example/callback', 'A64'],
  ['/callback', 'A64'],
  ['printer.example/callback', 'A64'],
  ['javascript:alert(1)', 'A64'],
  ['data:text/html,x', 'A64'],
  ['https://sub.printer.example/callback', 'A46'],
  ['urn:x', 'A64'],
  ['https://printer%2eexample%2fcallback%2f:y@evil.example', 'A55'],
  ['https://printer.example/callback/%252E%252E/x', 'A61'],
  ['https://printer.example:8443/callback', 'A53'],
  ['https://prınter.example/callback', 'A59'],
];
for (const [redirect_uri, row] of tricks) {
  test(`redirection URIs are compared as raw strings: ${JSON.stringify(redirect_uri)} is refused [${row}]`, () =>
    assertPage(authorizationQuery({ redirect_uri })));
}

test('a loopback redirection URI may use any port, and must otherwise match exactly [8252 §7.3] [A67] [A70]', async () => {
  const ask = (redirect_uri: string) =>
    browser.open(`/authorize?${authorizationQuery({ client_id: 'native', redirect_uri })}`);
  for (const good of [
    'http://127.0.0.1/cb',
    'http://127.0.0.1:1/cb',
    'http://127.0.0.1:65535/cb',
    'http://[::1]/cb',
    'http://[::1]:9/cb',
  ]) {
    assert.equal((await ask(good)).status, 200, good);
  }
  for (const bad of [
    'http://127.0.0.1:1/x',
    'http://127.0.0.1:1/cb?a=b',
    'http://localhost:1/cb',
    'http://127.1/cb',
    'http://0x7f.1/cb',
    'http://2130706433/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'https://127.0.0.1:1/cb',
    'http://x@127.0.0.1:1/cb',
    'http://127.0.0.1:0/cb',
    'http://127.0.0.1:65536/cb',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1:-1/cb',
    'http://127.0.0.1:80abc/cb',
    'http://127.0.0.1:080/cb',
    'http://127.0.0.1:/cb',
    'http://127.0.0.1:1@evil.example/cb',
  ]) {
    assert.equal((await ask(bad)).status, 400, bad);
  }
});

test('localhost may have any port for a public client for which nobody vouches, and for no other [8252 §8.3]', async () => {
  const redirect_uris = ['http://localhost/cb', 'http://localhost:3000/other'];
  const clients: [client_id: string, changes: object, status: number][] = [
    ['native-unvouched', { client_secret: null, vouched: false }, 200],
    ['native-vouched', { client_secret: null, vouched: true }, 400],
    ['confidential', { vouched: false }, 400],
  ];
  for (const [client_id, changes, status] of clients) {
    await registerPrinter(database, { client_id, site_domain: 'localhost', redirect_uris, ...changes });
    const ask = async (redirect_uri: string) =>
      (await browser.open(`/authorize?${authorizationQuery({ client_id, redirect_uri })}`)).status;
    assert.equal(await ask('http://localhost/cb'), 200, client_id);
    for (const uri of ['http://localhost:1/cb', 'http://localhost:65535/cb', 'http://localhost/other']) {
      assert.equal(await ask(uri), status, `${client_id} ${uri}`);
    }
    for (const uri of [
      'http://127.0.0.1:1/cb',
      'http://localhost:1/x',
      'http://localhost:65536/cb',
      'http://localhost.:1/cb',
    ]) {
      assert.equal(await ask(uri), 400, `${client_id} ${uri}`);
    }
  }
});

test('a web client can use neither a loopback redirection URI nor the redirection URI of another client [A47] [A68]', async () => {
  await assertPage(authorizationQuery({ redirect_uri: 'http://127.0.0.1/cb' }));
  await assertPage(authorizationQuery({ redirect_uri: 'https://printer.example/cb?tenant=1' }));
});

test('variants of a private-use redirection URI are refused [8252 §7.1] [A65]', async () => {
  for (const redirect_uri of [
    'example.printer.app://cb',
    'example.printer.app:/cb/',
    'COM.example.app:/cb',
    'example.printer.app:cb',
  ]) {
    await assertPage(authorizationQuery({ client_id: 'scheme', redirect_uri }));
  }
});

test('the response parameters are added to the query of the registered redirection URI [6749 §3.1.2]', async () => {
  const redirect_uri = 'https://printer.example/cb?tenant=1';
  const page = await browser.visit(`/authorize?${authorizationQuery({ client_id: 'query', redirect_uri })}`);
  const answer = await browser.submit(page, 'id="allow"');
  assert.ok(answer.location?.startsWith(`${redirect_uri}&code=lk_ac_`));
});

const faults: [
  title: string,
  error: string,
  change: Record<string, string | string[] | undefined>,
  state?: string | null,
][] = [
  ['no response_type [A74]', 'invalid_request', { response_type: undefined }],
  ['two response_types', 'invalid_request', { response_type: ['code', 'code'] }],
  ['response_type=token', 'unsupported_response_type', { response_type: 'token' }],
  ['response_type in upper case', 'unsupported_response_type', { response_type: 'CODE' }],
  ['response_mode=fragment [A76]', 'invalid_request', { response_mode: 'fragment' }],
  ['two states, neither of which is returned [A77]', 'invalid_request', { state: ['one', 'two'] }, null],
  ['two scopes [A77]', 'invalid_request', { scope: ['user', 'user'] }],
  ['an unknown scope [A80]', 'invalid_scope', { scope: 'admin' }],
  ['a malformed scope', 'invalid_scope', { scope: 'user"' }],
  ['a scope beyond the registration [A80]', 'invalid_scope', { client_id: 'small', scope: 'user:email' }],
  ['a scope group of which the client registered no member', 'invalid_scope', { client_id: 'small', scope: 'repo' }],
  ['a registered and an unregistered scope', 'invalid_scope', { client_id: 'small', scope: 'user user:email' }],
  ['two code_challenges [A77]', 'invalid_request', { code_challenge: [challenge, challenge] }],
  ['a code_challenge that is not a SHA-256 digest', 'invalid_request', { code_challenge: 'short' }],
  ['code_challenge_method=plain [9700 §2.1.1] [A86]', 'invalid_request', { code_challenge_method: 'plain' }],
  ['code_challenge_method in lower case [A86]', 'invalid_request', { code_challenge_method: 's256' }],
  [
    'no code_challenge_method, which means plain [7636 §4.3] [A86]',
    'invalid_request',
    { code_challenge_method: undefined },
  ],
  ['code_challenge_method without a code_challenge', 'invalid_request', { code_challenge: undefined }],
  ['prompt=junk [A91]', 'invalid_request', { prompt: 'junk' }],
  ['prompt=none login [A91]', 'invalid_request', { prompt: 'none login' }],
  ['prompt=none when consent is needed [A89]', 'consent_required', { prompt: 'none', scope: 'repo' }],
  [
    'a client that is not registered for authorization codes [6749 §4.1.2.1]',
    'unauthorized_client',
    { client_id: 'refreshing' },
  ],
  ['a request object', 'request_not_supported', { request: 'x.y.z' }],
  ['a state of more than 8 KiB', 'invalid_request', { state: 'x'.repeat(8193) }, 'x'.repeat(8193)],
];
for (const [title, error, change, state = 'the-state'] of faults) {
  test(`an authorization request with ${title} redirects with ${error}, state and iss, and without a code`, async () => {
    const { status, location } = await browser.open(`/authorize?${authorizationQuery(change)}`);
    const url = new URL(location ?? '');
    assert.equal(status, 302);
    assert.equal(url.origin + url.pathname, printer.redirect_uri);
    assert.equal(url.searchParams.get('error'), error);
    assert.equal(url.searchParams.get('state'), state);
    assert.equal(url.searchParams.get('iss'), origin);
    assert.equal(url.searchParams.get('code'), null);
    assert.ok(codeIn(await browser.open(`/authorize?${authorizationQuery()}`)));
  });
}

test('an authorization request of a public client without a code_challenge is refused [7636 §4.4.1] [A85]', async () => {
  const query = {
    client_id: 'scheme',
    redirect_uri: 'example.printer.app:/cb',
    code_challenge: undefined,
    code_challenge_method: undefined,
  };
  const { location } = await browser.open(`/authorize?${authorizationQuery(query)}`);
  assert.match(location ?? '', /^example\.printer\.app:\/cb\?error=invalid_request&/);
});

test('prompt=none redirects with login_required when nobody is signed in [A89]', async () => {
  const { location } = await new Browser(origin).open(`/authorize?${authorizationQuery({ prompt: 'none' })}`);
  assert.equal(new URL(location ?? '').searchParams.get('error'), 'login_required');
});

test('unknown parameters of an authorization request are ignored [6749 §3.1] [A79]', async () => {
  assert.ok(codeIn(await browser.open(`/authorize?${authorizationQuery({ foo: 'bar', nonce: 'n', 'x[]': '1' })}`)));
});

test('nor are they carried on to the pages of the flow, which keep the rest of the query as it came [A79]', async () => {
  const rest = authorizationQuery({ prompt: 'consent', ui_locales: 'de', login_hint: 'alice', state: 'a%b' });
  const noise = `zq=${'x'.repeat(9000)}&x%5B%5D=1&&foo`;
  const { location } = await new Browser(origin).open(`/authorize?${noise}&${rest}`);
  assert.equal(location, `/login?${rest}`);
  const consent = await browser.visit(`/authorize?${noise}&${rest}`);
  assert.ok(!consent.text.includes('zq=') && consent.text.includes('/consent?response_type'));
  assert.ok(codeIn(await browser.submit(consent, 'id="allow"')));
});

test('an authorization request without a scope asks for every scope that the client registered [6749 §3.3]', async () => {
  const page = await browser.open(`/authorize?${authorizationQuery({ scope: undefined })}`);
  const boxes = [...page.text.matchAll(/<input[^>]*type="checkbox"[^>]*name="scope"[^>]*value="([^"]+)"/g)].map(
    ([, scope]) => scope,
  );
  // what alice was asked before stands last
  assert.deepEqual(boxes, ['user:write', 'repo:read', 'repo:write', 'user:name', 'user:email']);
});

test('the authorization endpoint answers every method but GET and POST with 405 and Allow [A98]', async () => {
  for (const method of ['HEAD', 'PUT', 'DELETE']) {
    const { status, headers } = await browser.open(`/authorize?${authorizationQuery()}`, { method });
    assert.deepEqual([status, headers.get('allow')], [405, 'GET, POST'], method);
  }
});

test('variant spellings of /authorize do not reach the authorization endpoint', async () => {
  for (const path of ['//authorize', '/AUTHORIZE', '/authorize/', '/%61uthorize', '/authorize;x=1']) {
    const response = await fetch(`${origin}${path}?${authorizationQuery()}`, { redirect: 'manual' });
    assert.equal(response.status, 404, path);
  }
});
