import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '../../support/browser.ts';
import { codeIn, obtainCode, redeem, signedInBrowser } from '../../support/flow.ts';
import { printer, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { shownProgram, unescapeHtml } from '../../support/shown-program.ts';

const { origin, database, url } = await startLatchkey({ REGISTRATION: 'open' });
await registerPeople(database, ['alice', 'bob', 'root']);
await database.query("update users set is_admin = true where username = 'root'");
const alice = await signedInBrowser(origin);
const bob = await signedInBrowser(origin, 'bob');
const root = await signedInBrowser(origin, 'root');
const connect = `/developer/applications/${printer.client_id}/connect`;

/** The photo printer with these changes, owned by alice. */
async function register(changes: Parameters<typeof registerPrinter>[1] = {}): Promise<void> {
  await registerPrinter(database, changes);
  await database.query("update clients set owner_id = (select user_id from users where username = 'alice')");
}

const programFor = async (library: string) => shownProgram(await alice.visit(`${connect}/${library}`));
const libraries = (page: Page) =>
  [...page.text.matchAll(/href="[^"]*\/connect\/([\w-]+)"/g)].map(([, library = '']) => library);

/** Programs that authenticate, and those that run in the browser. */
const ofApis = ['node', 'fastapi', 'mcp-server', 'mcp-server-python', 'apache', 'nginx'];
const inBrowser = ['fetch', 'oidc-client-ts'];

async function registerInConsole(changes: Record<string, string>): Promise<Page> {
  return alice.submit(await alice.visit('/developer/applications/new'), 'class="primary"', {
    name: 'Post Cards',
    site_domain: 'cards.example',
    redirect_uris: 'https://cards.example/callback',
    'use:user:name': 'required',
    'use:repo:read': 'optional',
    ...changes,
  });
}

test('after registration the secret alone is shown, and the page goes on to the endpoints, a program and a link to try it, none with the secret', async () => {
  const shown = await registerInConsole({});
  const [secret = ''] = /lk_cs_[\w-]{49}/.exec(shown.text) ?? [];
  assert.ok(secret !== '');
  const [, next = ''] = /class="button primary" href="([^"]*\/connect)"/.exec(shown.text) ?? [];
  const page = await alice.visit(next);
  for (const path of ['', '/authorize', '/token', '/user']) assert.ok(page.text.includes(`">${origin}${path}</code>`));
  assert.match(shownProgram(page), /clientID: "post-cards-[\s\S]*clientSecret: process\.env\.CLIENT_SECRET/);
  assert.match(page.text, /endpoint-redirect_uri">https:\/\/cards\.example\/callback</);
  assert.match(page.text, /<code>client_secret<\/code><\/dt><dd><a href="[^"]*\/credentials">/);
  assert.match(page.text, />Try it</);
  assert.equal(libraries(page).length, 15);
  for (const library of ['', ...libraries(page)]) {
    assert.ok(!(await alice.visit(`${next}/${library}`)).text.includes(secret));
  }
});

test('a public application goes on to the same page, and its programs use no secret', async () => {
  const page = await registerInConsole({ confidential: 'false', name: 'Pocket Cards' });
  assert.match(page.url, /\/connect\?notice=application_registered$/);
  assert.match(page.text, /Application registered[\s\S]*<code id="endpoint-token_endpoint">http[^<]*\/token</);
  assert.doesNotMatch(page.text, /<code>client_secret<|Protect an API/);
  assert.equal(libraries(page).length, 11);
  for (const library of libraries(page)) {
    const path = new URL(page.url).pathname;
    assert.doesNotMatch(shownProgram(await alice.visit(`${path}/${library}`)), /client_?secret/i, library);
  }
  assert.match(page.text, /Not for this application<\/h3>\s*<p[^>]*>[^<]*FastAPI[\s\S]*needs a client secret/);
  for (const library of ofApis) {
    const { text } = await alice.visit(`${new URL(page.url).pathname}/${library}`);
    assert.match(text, /needs a client secret/);
    assert.doesNotMatch(text, /<pre/);
  }
});

test('no name of an application makes its client_id a URL, which would be that of a metadata document', async () => {
  const { url } = await registerInConsole({ name: 'https://cards.example/client.json' });
  assert.match(decodeURIComponent(url), /\/applications\/https-cards-example-client-json-[0-9a-f]{10}\//);
});

test('the program that fits the kind of the application is shown first, and those that it cannot use are not linked', async () => {
  const seen: unknown[] = [];
  const look = async (kind: string) => {
    const page = await alice.visit(connect);
    const [current] = /[\w-]+(?=" aria-current="true")/.exec(page.text) ?? [];
    const listed = libraries(page);
    assert.equal(listed[0], current);
    seen.push([kind, current, listed.length, listed.slice(-1)]);
  };
  const ofPublic = { client_secret: null };
  await register();
  await look('web');
  await register({ redirect_uris: ['https://printer.example/a(b)'] });
  await look('web without its path');
  await register({ ...ofPublic, redirect_uris: ['https://printer.example/callback'] });
  await look('spa');
  await register({ ...ofPublic, redirect_uris: ['example.printer:/callback', 'http://127.0.0.1/callback'] });
  await look('native');
  await register({ ...ofPublic, redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'] });
  await look('mcp');
  await register();
  await database.query("update clients set grant_types = '{authorization_code}'");
  await look('api');
  assert.deepEqual(seen, [
    ['web', 'passport-oauth2', 15, ['nginx']],
    ['web without its path', 'curl', 15, ['nginx']],
    ['spa', 'fetch', 11, ['spring']],
    ['native', 'curl', 11, ['spring']],
    ['mcp', 'mcp-sdk', 11, ['spring']],
    ['api', 'fastapi', 15, ['spring']],
  ]);
});

test('the programs are ordered by what they are for and by language, and those that the application cannot use are named without a link', async () => {
  await register();
  const { text } = await alice.visit(connect);
  const groups = [...text.matchAll(/<h3>([^<]*)<\/h3>\s*<dl class="facts tight">([\s\S]*?)<\/dl>/g)].map(
    ([, name, list = '']) => [name, [...list.matchAll(/<dt>([^<]*)<\/dt>/g)].map(([, language]) => language)],
  );
  assert.deepEqual(groups, [
    ['Sign people in', ['JavaScript', 'Shell', 'Python', 'Go', 'Java']],
    ['Protect an API', ['JavaScript', 'Python', 'Apache', 'nginx']],
  ]);
  assert.match(text, /<dt>Python<\/dt>\s*<dd>(?:(?!<\/dd>)[\s\S])*connect\/authlib"/);
  const unusable =
    /Not for this application<\/h3>\s*<p[^>]*>fetch · oidc-client-ts<\/p>\s*<p[^>]*>[^<]*no secret stays secret/;
  assert.match(text, unusable);
  assert.doesNotMatch(text, /connect\/(fetch|oidc-client-ts)"/);
});

test('the server of a resource begins with a program that checks tokens', async () => {
  await register();
  const resource = 'https://api.printer.example/';
  await database.query('select register_resource(resource => $1, scopes => $2, client_id => $3)', [
    ...[resource, ['user:name'], printer.client_id],
  ]);
  const later = await startLatchkey({ REGISTRATION: 'open' }, url);
  const page = await (await signedInBrowser(later.origin)).visit(connect);
  assert.match(page.text, /connect\/fastapi" aria-current="true"/);
  await database.query('delete from resources where resource = $1', [resource]);
});

test('a program in the browser is not for an application that has a secret', async () => {
  await register();
  for (const library of inBrowser) {
    const { text } = await alice.visit(`${connect}/${library}`);
    assert.match(text, /Register a public application for it/);
    assert.doesNotMatch(text, /<pre/);
  }
});

test('the page of an application links to its programs, which contain what is registered', async () => {
  await register({ scopes: ['user', 'repo:read'] });
  const application = await alice.visit(connect.replace('/connect', ''));
  assert.ok(application.text.includes(`href="${connect}"`));
  const page = await alice.visit(connect);
  assert.ok(page.text.includes(`>${origin}/account/applications/photo-printer</code>`), 'the link for its users');
  assert.equal(libraries(page).length, 15);
  for (const library of libraries(page)) {
    const program = await programFor(library);
    // the comment on running a program sets what it reads
    if (!['spring', 'apache', 'nginx'].includes(library))
      assert.match(program, /(#|\/\/) CLIENT_SECRET=lk_cs_… \w/, library);
    if (library !== 'mcp-sdk') assert.ok(program.includes(origin), library);
    assert.ok(program.includes('photo-printer'), library);
    assert.ok(program.includes('CLIENT_SECRET'), library);
    assert.doesNotMatch(program, /PUT-THE-VALUE-HERE/);
    if (![...ofApis, 'mcp-sdk'].includes(library)) assert.match(program, /user\W+repo(:|%3A)read/, library);
  }
});

test('an API that demands a scope accepts it however the answer states it, also where people refuse the rest of its group', async () => {
  await register({ scopes: ['user:name', 'user:email', 'repo:read'], required_scopes: ['user:name'] });
  const [, demanded = ''] =
    /if not (\{.*\}) & set\(token\["scope"\]\.split\(\)\)/.exec(await programFor('fastapi')) ?? [];
  for (const [scope, stated] of [
    [['user:name', 'user:email', 'repo:read'], 'user repo:read'],
    [['user:name', 'repo:read'], 'user:name repo:read'],
  ] as const) {
    const code = await obtainCode(
      await signedInBrowser(origin),
      { scope: undefined, prompt: 'consent' },
      { scope: [...scope] },
    );
    const { body } = await redeem(origin, code);
    assert.equal(body['scope'], stated);
    assert.ok(
      stated.split(' ').some((name) => demanded.includes(JSON.stringify(name))),
      `${demanded} for ${stated}`,
    );
  }
  await register({ scopes: ['repo:read', 'user'], required_scopes: [] });
  assert.match(await programFor('fastapi'), /if not \{"\w+:\w+", "\w+"\} & set/);
});

test('every program that reads a profile says that sub identifies people', async () => {
  await register({ client_secret: null });
  const withoutProfile = [...ofApis, 'mcp-sdk'];
  for (const library of libraries(await alice.visit(connect)).filter((one) => !withoutProfile.includes(one))) {
    assert.match(
      await programFor(library),
      /(#|\/\/|;) identify people by sub, never by email address or name/,
      library,
    );
  }
});

test('an administrator sees the programs of all applications, other people those of their own', async () => {
  await register();
  assert.equal((await root.visit(`${connect}/curl`)).status, 200);
  for (const path of [connect, `${connect}/curl`]) assert.equal((await bob.visit(path)).status, 404);
});

test('there is no page for an unknown library', async () => {
  await register();
  for (const library of ['nothing', 'constructor', '..%2Fcurl']) {
    assert.equal((await alice.visit(`${connect}/${library}`)).status, 404, library);
  }
});

test('the link to try an application leads through consent to it, and nobody can redeem the code', async () => {
  for (const client_secret of [printer.client_secret, null]) {
    await register({ client_secret });
    const page = await alice.visit(connect);
    const [, href = ''] = /href="([^"]*)">Try it</.exec(page.text) ?? [];
    const consent = await bob.visit(unescapeHtml(href));
    const answer = await bob.submit(consent, 'id="allow"');
    assert.match(answer.location ?? '', /^https:\/\/printer\.example\/callback\?code=[^&]+&state=try-it&/);
    const credentials = client_secret ? {} : { client_id: printer.client_id };
    const headers: Record<string, string> = client_secret ? {} : { authorization: '' };
    assert.equal((await redeem(origin, codeIn(answer), credentials, headers)).body['error'], 'invalid_grant');
    assert.notEqual((await alice.visit(connect)).text.includes(href), true);
    // the consent page opens again, whatever was decided before
    assert.match((await bob.visit(unescapeHtml(href))).text, /id="allow"/);
  }
});

test('each library gets the first redirection URI that it can use; if there is none, the page says which one to register', async () => {
  const paths = ['/a(b)?c=1', '/callback', '/auth/callback/printer', '/login/oauth2/code/printer'];
  const uris = paths.map((path) => `https://printer.example${path}`);
  await register({ redirect_uris: uris });
  for (const [library, used] of [
    ['requests-oauthlib', uris[0]],
    ['openid-client', uris[1]],
    ['passport-oauth2', uris[1]],
    ['spring', uris[3]],
  ] as const) {
    assert.ok((await programFor(library)).includes(used ?? ''), library);
    assert.doesNotMatch((await alice.visit(`${connect}/${library}`)).text, /Register this one first/);
  }
  const program = await programFor('auth-js');
  assert.match(program, /id: "printer"[\s\S]*basePath: "\/auth"/);
  assert.match(program, /Open https:\/\/printer\.example\/, which your proxy passes on to port 8080"/);

  await register({ redirect_uris: uris.slice(0, 1) });
  for (const [library, suggested] of [
    ['openid-client', '/callback'],
    ['passport-oauth2', '/callback'],
    ['auth-js', '/auth/callback/latchkey'],
    ['spring', '/login/oauth2/code/latchkey'],
  ]) {
    const { text } = await alice.visit(`${connect}/${library}`);
    assert.ok(text.includes(`Register this one first: <code>https://printer.example${suggested}</code>`), library);
  }
  await register({ redirect_uris: ['example.printer:/callback'], client_secret: null });
  assert.match((await alice.visit(`${connect}/spring`)).text, /<code>https:\/\/printer\.example\/login/);
  // Node 24 takes every name that begins with xn--
  const isUsable = URL.canParse('https://xn--0.example/callback');
  await register({ redirect_uris: ['https://xn--0.printer.example/callback'] });
  assert.match(
    (await alice.visit(`${connect}/passport-oauth2`)).text,
    isUsable ? /"https:\/\/xn--0\.printer\.example\/callback/ : /<code>https:\/\/printer\.example\/callback/,
  );
  await register({ redirect_uris: ['https://xn--0.example/callback'], site_domain: 'xn--0.example' });
  assert.match(
    (await alice.visit(`${connect}/passport-oauth2`)).text,
    isUsable ? /"https:\/\/xn--0\.example\/callback/ : /<code>http:\/\/localhost:8080\/callback/,
  );
  await register({ redirect_uris: ['http://localhost/?a=b'], site_domain: 'localhost' });
  assert.match(
    await programFor('passport-oauth2'),
    /callbackURL: "http:\/\/localhost\/callback"[\s\S]*listen\(80, [^"]*"Open http:\/\/localhost\/"/,
  );
});

test('an application whose registration demands keys or other requests gets no program that would be refused', async () => {
  for (const demand of [
    "token_endpoint_auth_method = 'tls_client_auth', secrets_sha256 = '{}', secrets_since = '{}', tls_client_auth_san_dns = 'printer.example'",
    "token_binding = 'dpop'",
    'require_pushed_authorization_requests = true',
    'require_signed_request_object = true',
  ]) {
    await register();
    assert.match((await alice.visit(connect)).text, /<pre/);
    await database.query(`update clients set ${demand} where client_id = $1`, [printer.client_id]);
    const { text } = await alice.visit(connect);
    assert.match(text, /requires more than such a program does/);
    assert.doesNotMatch(text, /<pre|>Try it</);
    await database.query('delete from clients where client_id = $1', [printer.client_id]);
  }
});

test('what a language cannot hold safely is left out, and the page says so [A374]', async () => {
  const client_id = '\u0024{SESSION_SECRET}';
  await register({ client_id });
  const path = `/developer/applications/${encodeURIComponent(client_id)}/connect`;
  const spring = await alice.visit(`${path}/spring`);
  assert.match(shownProgram(spring), /client-id=PUT-THE-VALUE-HERE$/m);
  assert.match(spring.text, /Replace PUT-THE-VALUE-HERE yourself/);
  const curl = await alice.visit(`${path}/curl`);
  assert.match(shownProgram(curl), /'client_id=\$\{SESSION_SECRET\}'/);
  assert.doesNotMatch(curl.text, /Replace PUT/);
  await database.query('delete from clients where client_id = $1', [client_id]);
});
