import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser } from '../../support/browser.ts';
import {
  authorizationQuery,
  basic,
  codeIn,
  getUser,
  post,
  refresh,
  signedInBrowser,
  verifier,
} from '../../support/flow.ts';
import { printer, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';

const { origin, database } = await startLatchkey();
await registerPeople(database);
await registerPrinter(database, { scopes: ['user', 'repo'] });
await registerPrinter(database, { client_id: 'no-user', scopes: ['repo'] });

/** As software written for GitHub asks: without response_type and PKCE. */
const query = (scope: string | undefined, client_id = printer.client_id) =>
  authorizationQuery({
    client_id,
    scope,
    response_type: undefined,
    code_challenge: undefined,
    code_challenge_method: undefined,
  });

async function consentPage(scope: string | undefined, client_id?: string) {
  await database.query('update grants set revoked_at = now() where revoked_at is null');
  const browser = await signedInBrowser(origin);
  return { browser, page: await browser.open(`/login/oauth/authorize?${query(scope, client_id)}`) };
}

async function tokensFor(scope: string | undefined, ticked?: string[], client_id?: string) {
  const { browser, page } = await consentPage(scope, client_id);
  const answer = await browser.submit(page, 'id="allow"', ticked ? { scope: ticked } : {});
  const body = new URLSearchParams({ client_id: client_id ?? printer.client_id, client_secret: printer.client_secret });
  body.set('code', codeIn(answer));
  const headers = { accept: 'application/json' };
  const response = await fetch(`${origin}/login/oauth/access_token`, { method: 'POST', body, headers });
  return (await response.json()) as Record<string, string>;
}

test('GitHub’s names of scopes stand for those of this server, and unknown ones are ignored', async () => {
  for (const [asked, answered] of [
    ['read:user', 'user:name'],
    ['user:email', 'user:email'],
    ['read:user user:email', 'user'],
    ['user', 'user'],
    ['repo,gist,read:org', 'repo'],
    ['gist', 'user:name'],
  ] as const) {
    assert.equal((await tokensFor(asked))['scope'], answered, asked);
  }
});

test('a scope of the operator that is named like one of GitHub’s is meant by this name, by a client that registered it', async (t) => {
  await database.query(
    `insert into scopes (name, group_name, sentence) values ('read:user', 'read:user', 'Read all users')`,
  );
  await registerPrinter(database, { client_id: 'directory', scopes: ['read:user', 'repo'] });
  // the catalogue is remembered for five seconds
  const { now } = performance;
  t.mock.method(performance, 'now', () => now.call(performance) + 5001);
  const asked = await tokensFor('read:user', undefined, 'directory');
  assert.equal(asked['scope'], 'read:user');
  const form = { grant_type: 'refresh_token', refresh_token: String(asked['refresh_token']), scope: 'read:user' };
  const again = await post(`${origin}/login/oauth/access_token`, form, {
    authorization: basic('directory'),
    accept: 'application/json',
  });
  assert.equal(again.body['scope'], 'read:user');
  assert.equal((await tokensFor('read:user'))['scope'], 'user:name', 'for others it is GitHub’s');
  const browser = await signedInBrowser(origin);
  const refused = await browser.visit(`/login/oauth/authorize?${query('read:user', 'no-user')}`);
  const description = new URL(refused.headers.get('location') ?? '').searchParams.get('error_description') ?? '';
  assert.match(description, /^scope is not registered for this client: read:user$/);
});

test('nothing beyond the registration is granted, and where nothing is left the request is refused', async () => {
  assert.equal((await tokensFor('user repo', undefined, 'no-user'))['scope'], 'repo');
  const browser = await signedInBrowser(origin);
  const answer = await browser.visit(`/login/oauth/authorize?${query('read:user', 'no-user')}`);
  assert.equal(new URL(answer.headers.get('location') ?? '').searchParams.get('error'), 'invalid_scope');
});

test('the username is always part of the answer, and the consent page says so', async () => {
  const { page } = await consentPage('repo');
  assert.match(page.text, /Your username/);
  const { access_token } = await tokensFor('repo', ['repo:read']);
  const { status, body } = await getUser(origin, access_token, '/api/v3/user');
  assert.deepEqual([status, body], [200, { login: 'alice', id: 1, type: 'User', name: null, email: null }]);
  const { body: unticked } = await getUser(
    origin,
    (await tokensFor('user', ['user:email']))['access_token'],
    '/api/v3/user',
  );
  assert.deepEqual([unticked['login'], unticked['name'], unticked['email']], ['alice', null, 'alice@example.com']);
});

test('nobody belongs to an organization or a team, which only a live token may ask', async () => {
  const { access_token } = await tokensFor('user:email read:org');
  for (const path of ['/api/v3/user/orgs', '/api/v3/user/teams']) {
    const { status, body } = await getUser(origin, access_token, `${path}?page=1&per_page=100`);
    assert.deepEqual([status, body], [200, []]);
    assert.equal((await getUser(origin, 'x', path)).status, 401);
  }
});

test('a token of /authorize tells no username that was not granted, and a grant from there does not answer here', async () => {
  await database.query('update grants set revoked_at = now() where revoked_at is null');
  const browser = await signedInBrowser(origin);
  const page = await browser.visit(`/authorize?${authorizationQuery({ scope: 'repo' })}`);
  assert.doesNotMatch(page.text, /Your username/);
  const code = codeIn(await browser.submit(page, 'id="allow"'));
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, code_verifier: verifier });
  body.set('redirect_uri', printer.redirect_uri);
  const headers = { authorization: basic() };
  const tokens = await (await fetch(`${origin}/token`, { method: 'POST', body, headers })).json();
  assert.equal((await getUser(origin, tokens['access_token'], '/api/v3/user')).status, 403);
  assert.match((await browser.visit(`/login/oauth/authorize?${query('repo')}`)).text, /Your username/);

  const path = `/applications/${printer.client_id}/token`;
  const checked = await call('POST', path, tokens['access_token']);
  assert.deepEqual([checked.status, (await checked.json())['user']['login']], [200, null]);
  await database.query("update grants set scopes = '{}' where revoked_at is null");
  assert.equal((await call('POST', path, tokens['access_token'])).status, 404, 'nothing of it is left');
});

test('the username is asked for once more where the person has allowed user:name only, which they can take back', async () => {
  await database.query('update grants set revoked_at = now() where revoked_at is null');
  const browser = await signedInBrowser(origin);
  const page = await browser.visit(`/authorize?${authorizationQuery({ scope: 'user:name repo' })}`);
  await browser.submit(page, 'id="allow"');
  assert.match((await browser.visit(`/login/oauth/authorize?${query('repo')}`)).text, /Your username/);
});

test('the page of a connected application says that the username is part of every answer', async () => {
  const { browser, page } = await consentPage('repo');
  await browser.submit(page, 'id="allow"');
  const shown = await browser.visit(`/account/applications/${printer.client_id}`);
  assert.match(shown.text, /Your username/);
});

test('a form of /authorize cannot be sent to the GitHub-compatible consent endpoint', async () => {
  await database.query('update grants set revoked_at = now() where revoked_at is null');
  const browser = await signedInBrowser(origin);
  const { text } = await browser.visit(`/authorize?${query('repo')}&response_type=code`);
  const page = { ...(await browser.visit(`/authorize?${query('repo')}&response_type=code`)) };
  const moved = { ...page, text: text.replace('action="/consent?', 'action="/login/oauth/consent?') };
  const answer = await browser.submit(moved, 'id="allow"');
  assert.match(answer.text, /Your username/, 'asked again');
});

test('iss names the issuer of these endpoints, whose metadata is true', async () => {
  const { browser, page } = await consentPage('read:user');
  const answer = await browser.submit(page, 'id="deny"');
  const issuer = `${origin}/login/oauth`;
  assert.equal(new URL(answer.headers.get('location') ?? '').searchParams.get('iss'), issuer);
  const metadata = await (await fetch(`${origin}/.well-known/oauth-authorization-server/login/oauth`)).json();
  assert.equal(metadata['issuer'], issuer);
  for (const member of ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint']) {
    assert.notEqual((await fetch(metadata[member], { redirect: 'manual' })).status, 404, member);
  }
});

test('a refresh speaks the same dialect, also when it is repeated', async () => {
  const tokens = await tokensFor('repo', ['repo:read']);
  assert.equal(tokens['refresh_token_expires_in'], 2_592_000);
  const body = new URLSearchParams({ client_id: printer.client_id, client_secret: printer.client_secret });
  body.set('grant_type', 'refresh_token');
  body.set('refresh_token', tokens['refresh_token'] ?? '');
  const send = async () => {
    const response = await fetch(`${origin}/login/oauth/access_token`, { method: 'POST', body });
    return new URLSearchParams(await response.text());
  };
  const refreshed = await send();
  assert.equal(refreshed.get('scope'), 'repo:read');
  assert.equal(refreshed.get('refresh_token_expires_in'), '2592000');
  assert.equal((await send()).has('refresh_token_expires_in'), true);
  assert.equal((await getUser(origin, refreshed.get('access_token'), '/api/v3/user')).body['login'], 'alice');
});

const call = (method: string, path: string, access_token: unknown, headers: Record<string, string> = {}) =>
  fetch(origin + path, {
    method,
    body: JSON.stringify({ access_token }),
    headers: { 'content-type': 'application/json', authorization: basic(), ...headers },
  });

for (const root of ['', '/api/v3']) {
  test(`an application checks and deletes its tokens at ${root}/applications/CLIENT_ID`, async () => {
    const { access_token, refresh_token: first_refresh_token } = await tokensFor('read:user');
    const path = `${root}/applications/${printer.client_id}`;
    const checked = await call('POST', `${path}/token`, access_token);
    assert.equal(checked.status, 200);
    const found = await checked.json();
    assert.deepEqual([found['token'], found['scopes'], found['user']['login']], [access_token, ['user:name'], 'alice']);
    const bind = (binding: string | null) => database.query('update access_tokens set binding = $1', [binding]);
    await bind('certificate x');
    assert.equal(
      (await call('POST', `${path}/token`, access_token)).status,
      404,
      'whoever asks would let the bearer in',
    );
    await bind(null);
    assert.equal((await call('POST', `${path}/token`, access_token)).status, 200);
    assert.equal((await call('DELETE', `${path}/token`, access_token)).status, 204);
    assert.equal((await refresh(origin, first_refresh_token)).status, 400, 'nothing of it can be refreshed');
    assert.equal((await call('POST', `${path}/token`, access_token)).status, 404);
    assert.equal((await getUser(origin, access_token, '/api/v3/user')).status, 401);

    const { access_token: another, refresh_token } = await tokensFor('read:user');
    assert.equal((await call('DELETE', `${path}/grant`, another)).status, 204);
    assert.equal((await getUser(origin, another, '/api/v3/user')).status, 401);
    assert.equal((await call('POST', `${path}/token`, refresh_token)).status, 404);
  });
}

test('a new browser is led through the sign-in of these endpoints', async () => {
  const login = await new Browser(origin).visit(`/login/oauth/authorize?${query('user')}`);
  assert.match(login.text, /action="\/login\/oauth\/login\?/);
});
