import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { loadConfig } from '../../src/config/config.ts';
import { Browser, formRequest } from '../support/browser.ts';
import { authorizationQuery, codeIn, getUser, redeem } from '../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const first = await startLatchkey();
await registerPeople(first.database);
await registerPrinter(first.database);
const start = async (path: string, env = {}) => {
  const { origin, deps } = await startLatchkey({ ISSUER: path, ...env }, first.url);
  return { origin, issuer: deps.config.issuer, base: deps.config.base };
};

const documents = ['oauth-authorization-server', 'oauth-protected-resource'];
const isOk = async (url: string) => (await fetch(url, { redirect: 'manual' })).status === 200;

/** Characters that mean something in the pattern of a route, and percent-escapes. */
const paths = [
  ...['/t:1', '/a:b', '/:name', '/(x)', '/a*', '/*all', '/a+', '/a!b', '/a.b', '/a%20b', '/%C3%A4', '/a%2Fb', '/a%25'],
  ...['/a[x]', '/a|b', "/it's", '/$x', '/a,b', '/a@b', '/one/t:2/three'],
];

for (const path of paths) {
  test(`an issuer at ${path} is served there, with its metadata, pages and tokens [8414 §3.1; 9728 §3.1]`, async () => {
    const { origin, issuer, base } = await start(path);
    assert.equal(issuer, origin + path);
    assert.deepEqual(
      [await isOk(issuer), await isOk(`${issuer}/`), await isOk(`${issuer}?ui_locales=de`)],
      [true, true, true],
    );
    const [server = '', resource = ''] = documents.map((name) => `${origin}/.well-known/${name}${path}`);
    const metadata = await (await fetch(server)).json();
    assert.equal(metadata.issuer, issuer);
    assert.equal((await (await fetch(`${server}/login/oauth`)).json()).issuer, `${issuer}/login/oauth`);
    assert.equal((await (await fetch(resource)).json()).resource, issuer);
    assert.equal(await isOk(metadata.jwks_uri), true);

    const browser = new Browser(origin);
    const login = await browser.visit(`${metadata.authorization_endpoint}?${authorizationQuery()}`);
    assert.ok(login.url.startsWith(`${issuer}/login?`), login.url);
    const entered = await browser.open(...formRequest(login, 'id="login"', { username: 'alice', password }));
    // a browser compares the path of a cookie with the address as it is written: the path of the issuer is in none
    assert.match(entered.headers.getSetCookie().join('\n'), /^session=[^;]+; Path=\/;/m);
    const consent = await browser.visit(entered.location ?? '');
    const answer = consent.location === undefined ? await browser.submit(consent, 'id="allow"') : consent;
    const { status, body } = await redeem(issuer, codeIn(answer));
    assert.equal(status, 200);
    assert.equal((await getUser(issuer, body['access_token'])).status, 200);
    // a link of a page
    const [, style = ''] = /<link rel="stylesheet" href="([^"]*)"/.exec(login.text) ?? [];
    assert.ok(style.startsWith(`${base}/assets/`.replaceAll("'", '&#39;')), style);
  });

  test(`nothing else is taken for an issuer at ${path}`, async () => {
    const { origin } = await start(path);
    const strangers = ['/a-stranger', '/t', '/a', '/x', '/t1', '/ab', `${path}x`, '/one/two/three', '/a/b'];
    for (const stranger of strangers) {
      for (const name of documents) {
        const url = `${origin}/.well-known/${name}${stranger}`;
        assert.equal((await fetch(url)).status, 404, url);
      }
      assert.equal((await fetch(origin + stranger)).status, 404, stranger);
      assert.equal((await fetch(`${origin}${stranger}/login`)).status, 404, stranger);
    }
  });
}

/** As it is written, which `fetch` would change. */
async function statusAt(origin: string, path: string): Promise<number | undefined> {
  const sent = request(origin, { path, agent: false }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}

test('a proxy may spell the escapes of the issuer in another way [3986 §6.2.2]', async () => {
  const { origin } = await start('/%C3%A4~b');
  const wellKnown = `/.well-known/${documents[0]}`;
  for (const spelt of ['/%C3%A4~b', '/%c3%a4~b', '/%C3%A4%7Eb', '/%c3%A4~%62']) {
    assert.equal(await statusAt(origin, `${spelt}/login`), 200, spelt);
    assert.equal(await statusAt(origin, wellKnown + spelt), 200, spelt);
    assert.equal(await statusAt(origin, spelt), 200, spelt);
  }
  for (const other of ['/%C3%A4', '/%E4~b', '/%c3%a4~b%2Flogin', '/%c3~b', '/%zz']) {
    assert.equal(await statusAt(origin, `${other}/login`), 404, other);
    assert.equal(await statusAt(origin, wellKnown + other), 404, other);
  }
});

test('an address of this server stays what it is where the path of the issuer is the same, since a proxy may remove that path', async () => {
  const { origin, issuer } = await start('/user');
  assert.equal((await fetch(`${origin}/user`)).status, 401);
  assert.equal((await fetch(`${issuer}/user`)).status, 401);
});

test('a path that cannot begin the links and cookies of this server is refused at the start, with the reason', () => {
  const wrong: [path: string, reason: RegExp][] = [
    ['//', /must have no empty part/],
    ['//evil.example', /must have no empty part/],
    ['/a//b', /must have no empty part/],
    ['/a;b', /no semicolon/],
    ['/%zz', /escapes/],
    ['/%FF', /escapes/],
    ['/%00', /escapes/],
    ['/ä', /must be normalised: .*https:\/\/id\.example\/%C3%A4$/m],
    ['/a b', /must be normalised: .*https:\/\/id\.example\/a%20b$/m],
  ];
  assert.equal(loadConfig({ ISSUER: 'https://id.example/%C3%A4' }).base, '/%C3%A4');
  for (const name of ['ISSUER', 'MTLS_URL']) {
    for (const [path, reason] of wrong) {
      assert.throws(
        () => loadConfig({ TLS_CERT_FILE: '/c', TLS_KEY_FILE: '/k', [name]: `https://id.example${path}` }),
        reason,
      );
    }
  }
});
