import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizationQuery } from '../support/flow.ts';
import { registerPrinter, startWithPrinter } from '../support/latchkey.ts';
import { runOn } from '../support/server-for-tests.ts';

const { origin, database, url } = await startWithPrinter();
await registerPrinter(database, {
  client_id: 'closed',
  site_domain: 'closed.example',
  redirect_uris: ['https://closed.example/callback'],
});
await database.query("update clients set disabled_at = now() where client_id = 'closed'");

const open = [
  ['/par', 'POST'],
  ['/token', 'POST'],
  ['/revoke', 'POST'],
  ['/user', 'GET, POST, PATCH'],
] as const;

const ask = (path: string, from: string, method = 'OPTIONS', more: Record<string, string> = {}) =>
  fetch(origin + path, { method, headers: { origin: from, ...more }, redirect: 'manual' });

for (const site of [
  'https://printer.example',
  'https://app.printer.example',
  'https://a.b.printer.example',
  'https://printer.example:8443',
]) {
  test(`a page of a registered application may call the server and read its answers: ${site}`, async () => {
    for (const [path, methods] of open) {
      const preflight = await ask(path, site, 'OPTIONS', { 'access-control-request-method': 'POST' });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get('access-control-allow-origin'), site);
      assert.equal(preflight.headers.get('access-control-allow-methods'), methods);
      assert.equal(preflight.headers.get('access-control-allow-headers'), 'Authorization, DPoP, Content-Type');
      const refusal = await ask(path, site, 'POST');
      assert.ok(refusal.status >= 400);
      assert.equal(refusal.headers.get('access-control-allow-origin'), site, 'errors can be read, too');
      for (const { headers } of [preflight, refusal]) {
        assert.match(headers.get('vary') ?? '', /\bOrigin\b/);
        assert.equal(headers.get('access-control-allow-credentials'), null);
      }
    }
  });
}

for (const site of [
  'https://evilprinter.example',
  'https://printer.example.evil.example',
  'https://printer.examp1e',
  'https://example',
  'http://printer.example',
  'null',
  'https://closed.example',
  'https://printer.example.',
  'https://printer.example/path',
  'https://user@printer.example',
  'https://evil.example#.printer.example',
  'https://evil.example\\.printer.example',
  'https://printer.example:99999999',
  'https://PRINTER.EXAMPLE',
  'https://xn--prnter-4va.example',
  'file://printer.example',
  'http://localhost',
  'http://127.0.0.1:3000',
  'https://%.printer_example',
]) {
  test(`a page of any other site may not read answers: ${site}`, async () => {
    for (const [path] of open) {
      for (const method of ['OPTIONS', 'POST']) {
        const { headers } = await ask(path, site, method);
        assert.equal(headers.get('access-control-allow-origin'), null, `${method} ${path}`);
        assert.match(headers.get('vary') ?? '', /\bOrigin\b/, 'nor may a cache confuse the two');
      }
    }
  });
}

test('a page on localhost may read only where a client of localhost is registered', async () => {
  for (const site of ['http://localhost:5173', 'http://127.0.0.1:5173']) {
    assert.equal((await ask('/token', site)).headers.get('access-control-allow-origin'), null);
  }
  await registerPrinter(database, {
    client_id: 'local',
    site_domain: 'localhost',
    redirect_uris: ['http://localhost:5173/callback'],
  });
  for (const site of ['http://localhost:5173', 'http://127.0.0.1:5173', 'https://localhost']) {
    assert.equal((await ask('/token', site)).headers.get('access-control-allow-origin'), site);
  }
  assert.equal((await ask('/token', 'http://evil.localhost')).headers.get('access-control-allow-origin'), null);
});

test('pages and other resources are never shared with another origin', async () => {
  for (const path of [
    `/authorize?${authorizationQuery()}`,
    `/login/oauth/authorize?${authorizationQuery()}`,
    '/login',
    '/consent',
    '/logout',
    '/',
    '/account',
    '/introspect',
    '/leaked',
    '/login/oauth/access_token',
    '/api/v3/user',
  ]) {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const { headers, status } = await ask(path, 'https://printer.example', method);
      assert.equal(headers.get('access-control-allow-origin'), null, `${method} ${path}`);
      assert.ok(method !== 'OPTIONS' || status === 405, `${method} ${path}: ${status}`);
    }
  }
});

test('every public document may be read by every page', async () => {
  const metadata = ['oauth-authorization-server', 'oauth-authorization-server/login/oauth', 'oauth-protected-resource'];
  for (const path of [...metadata.map((name) => `/.well-known/${name}`), '/jwks', '/openapi.json']) {
    const document = await ask(path, 'https://stranger.example', 'GET');
    assert.deepEqual([document.status, document.headers.get('access-control-allow-origin')], [200, '*']);
    const more = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'content-type' };
    const preflight = await ask(path, 'https://stranger.example', 'OPTIONS', more);
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
    assert.equal(preflight.headers.get('access-control-allow-methods'), 'GET');
    assert.equal(document.headers.get('access-control-allow-credentials'), null);
  }
});

test('looking up an origin among twenty thousand clients uses an index', async () => {
  // without the time limits of a request
  await runOn(
    url,
    `insert into clients (client_id, name, site_domain, redirect_uris, scopes, required_scopes, grant_types, secrets_sha256,
      secrets_since)
    select 'many-' || n, 'Many', 'site-' || n || '.example', '{}', '{}', '{}', '{}', '{}', '{}'
    from generate_series(1, 20000) n`,
  );
  await runOn(url, 'analyze clients');
  const site = 'https://a.b.site-12345.example';
  const { query } = database;
  let asked: { name: string; text: string; values: unknown[] } | undefined;
  database.query = ((statement: typeof asked) => {
    // others store what was refused before
    if (statement?.name === 'is_site_of_client') asked = statement;
    return Reflect.apply(query, database, [statement]);
  }) as typeof query;
  const { headers } = await ask('/token', site);
  database.query = query;
  assert.equal(headers.get('access-control-allow-origin'), site);
  const { text = '', values = [] } = asked ?? {};
  const { rows } = await database.query(`explain (analyze, buffers, format json) ${text}`, values);
  const plan = JSON.stringify(rows[0]['QUERY PLAN'][0].Plan);
  assert.match(plan, /"Index Name":"clients_by_site_domain"/);
  assert.doesNotMatch(plan, /Seq Scan/);
  const pages = rows[0]['QUERY PLAN'][0].Plan['Shared Hit Blocks'];
  assert.ok(pages < 30, `${pages} pages`);
});
