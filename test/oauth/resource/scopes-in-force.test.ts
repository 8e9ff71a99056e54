import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { liveSuccessors } from '../../support/attack.ts';
import { basic, getUser, obtainCode, post, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';

// What a token is worth: what it was issued for, less what the person took back, less what is not registered any more.

const { origin, database } = await startLatchkey();
await registerPeople(database);
const client_id = 'changing';
const headers = { authorization: basic(client_id) };
const register = (scopes: string[]) => registerPrinter(database, { client_id, scopes });
const grant = (scopes: string[]) => database.query('update grants set scopes = $1 where revoked_at is null', [scopes]);
const everything = ['user', 'user:write', 'repo'];
await register(everything);
const browser = await signedInBrowser(origin);

const freshCode = () => obtainCode(browser, { client_id, scope: 'user repo:read', prompt: 'consent' });
const exchange = async (code: string) => (await redeem(origin, code, {}, headers)).body;
const renew = (token: unknown, changes = {}) => refresh(origin, token, changes, headers);
const introspect = async (token: unknown) =>
  (await post(`${origin}/introspect`, { token: String(token) }, headers)).body;

beforeEach(() => register(everything));

test('narrowing or widening a registration takes effect on live tokens at once', async () => {
  const { access_token, refresh_token } = await exchange(await freshCode());
  await register(['user:name', 'repo:read']);
  assert.deepEqual(Object.keys((await getUser(origin, access_token)).body), ['id', 'sub', 'username', 'name']);
  for (const token of [access_token, refresh_token]) {
    assert.equal((await introspect(token))['scope'], 'user:name repo:read');
  }
  const github = await getUser(origin, access_token, '/api/v3/user');
  assert.equal(github.headers.get('x-oauth-scopes'), 'user:name, repo:read');
  assert.equal(github.body['email'], null);
  const emails = await getUser(origin, access_token, '/api/v3/user/emails');
  assert.deepEqual([emails.status, emails.body['error']], [403, 'insufficient_scope']);
  await register(everything);
  assert.equal((await introspect(access_token))['scope'], 'user repo:read', 'and never more than it was issued for');
  assert.equal((await getUser(origin, access_token)).body['email'], 'alice@example.com');
});

test('a refresh without a scope gets the scopes still registered, and all of them once the registration is widened again', async () => {
  const { refresh_token } = await exchange(await freshCode());
  await register(['user']);
  const narrowed = await renew(refresh_token);
  assert.deepEqual([narrowed.status, narrowed.body['scope']], [200, 'user']);
  await register(everything);
  assert.equal((await introspect(narrowed.body['access_token']))['scope'], 'user', 'it was issued for no more');
  assert.equal((await renew(narrowed.body['refresh_token'])).body['scope'], 'user repo:read');
});

test('a refresh for a scope that is no longer registered is refused, and spends nothing [A224]', async () => {
  const { refresh_token } = await exchange(await freshCode());
  await register(['user']);
  assert.equal((await renew(refresh_token, { scope: 'user repo:read' })).body['error'], 'invalid_scope');
  assert.equal((await renew(refresh_token, { scope: 'user:name' })).body['scope'], 'user:name');
});

test('a repeated refresh states the scopes left by then', async () => {
  const { refresh_token } = await exchange(await freshCode());
  const first = await renew(refresh_token);
  await register(['user:name', 'repo']);
  const second = await renew(refresh_token);
  assert.deepEqual(second.body, { ...first.body, scope: 'user:name repo:read', expires_in: second.body['expires_in'] });
});

test('a code is redeemed for the scopes still allowed, and its tokens gain no more when others are allowed again', async () => {
  const [one, other] = [await freshCode(), await freshCode()];
  await register(['user', 'user:write']);
  assert.equal((await exchange(one))['scope'], 'user');
  await grant(['user:name', 'repo:read']);
  const { access_token, scope, refresh_token } = await exchange(other);
  assert.equal(scope, 'user:name');
  await grant(['user:name', 'user:email', 'repo:read']);
  await register(everything);
  assert.equal((await introspect(access_token))['scope'], 'user:name');
  assert.equal((await renew(refresh_token)).body['scope'], 'user repo:read');
});

for (const [what, registered, granted] of [
  ['the registration leaves no scope', ['user:write'], ['user:name', 'user:email', 'repo:read']],
  ['the user leaves no scope', everything, ['repo:write']],
  ['the scopes left by user and registration have nothing in common', ['user'], ['repo:read']],
] as const) {
  test(`when ${what}, codes and refresh tokens are refused, and not spent`, async () => {
    const code = await freshCode();
    const { access_token, refresh_token } = await exchange(await freshCode());
    await register([...registered]);
    await grant([...granted]);
    assert.equal((await exchange(code))['error'], 'invalid_grant');
    assert.equal((await renew(refresh_token))['body']['error'], 'invalid_grant');
    assert.equal((await getUser(origin, access_token)).body['error'], 'insufficient_scope');
    for (const token of [access_token, refresh_token]) assert.deepEqual(await introspect(token), { active: false });
    await register(everything);
    await grant(['user:name', 'user:email', 'repo:read']);
    assert.equal((await exchange(code))['scope'], 'user repo:read');
    assert.equal((await renew(refresh_token)).body['scope'], 'user repo:read');
    assert.equal(await liveSuccessors(database, String(refresh_token)), 1);
  });
}
