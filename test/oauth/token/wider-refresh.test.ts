import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { authorizationQuery, codeIn, getUser, post, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { registerResource, startWithPrinter } from '../../support/latchkey.ts';

// A refresh that names what its client asked for at first, and the person refused: it gets what is granted now, and nothing else.

const { origin, database } = await startWithPrinter();
const browser = await signedInBrowser(origin);
beforeEach(async () => {
  await database.query(`update clients set scopes = '{user:name,user:email,repo:read,repo:write}'`);
});

/** The refresh token of a family that asked for `scope`, of which the person left `left` ticked. */
async function family(scope: string | undefined, left: string[], changes = {}): Promise<string> {
  await database.query('update grants set revoked_at = now() where revoked_at is null');
  const query = authorizationQuery({ scope, prompt: 'consent', ...changes });
  const page = await browser.open(`/authorize?${query}`);
  const code = codeIn(await browser.submit(page, 'id="allow"', { scope: left }));
  return String((await redeem(origin, code)).body['refresh_token']);
}

const ask = async (token: string, scope: string) => {
  const { status, body } = await refresh(origin, token, { scope });
  return { status, body, error: body['error'], token: String(body['refresh_token']) };
};
const stored = async () =>
  (await database.query('select scopes from access_tokens order by issued_at desc limit 1')).rows[0].scopes;

for (const scope of ['user repo:read', 'repo:read user:email user:name', 'user,repo:read', 'user user repo:read']) {
  test(`a refresh that names the scope of the request again, as "${scope}", gets what the person left`, async () => {
    const token = await family('user repo:read', ['user:name', 'repo:read']);
    const { status, body } = await ask(token, scope);
    assert.deepEqual([status, body['scope']], [200, 'user:name repo:read']);
    assert.deepEqual(await stored(), ['user:name', 'repo:read']);
    const introspected = await post(`${origin}/introspect`, { token: String(body['access_token']) });
    assert.equal(introspected.body['scope'], 'user:name repo:read');
    assert.equal((await getUser(origin, body['access_token'])).body['email'], undefined);
  });
}

test('a request without scope asked for all that the client had registered', async () => {
  const token = await family(undefined, ['user:name']);
  assert.equal((await ask(token, 'user repo')).body['scope'], 'user:name');
});

test('what the person takes back, or what is no longer registered, does not return; nor what a later consent allows', async () => {
  let { token } = await ask(await family('user repo:read', ['user:name', 'repo:read']), 'user repo:read');
  await database.query(`update grants set scopes = '{user:name}' where revoked_at is null`);
  const less = await ask(token, 'user repo:read');
  assert.equal(less.body['scope'], 'user:name');
  await database.query(`update grants set scopes = '{user:name,user:email,repo:read}' where revoked_at is null`);
  ({ token } = await ask(less.token, 'user repo:read'));
  assert.deepEqual(await stored(), ['user:name', 'repo:read']);
  await database.query(`update clients set scopes = '{user:name,user:email}'`);
  assert.equal((await ask(token, 'user')).body['scope'], 'user:name');
});

test('a group that was asked for may be named when more of it is registered, which gives nothing of that', async () => {
  await database.query(`update clients set scopes = '{user:name,repo:read}'`);
  const token = await family('user repo', ['user:name', 'repo:read']);
  await database.query(`update clients set scopes = '{user:name,user:email,repo:read,repo:write}'`);
  const { status, body } = await ask(token, 'user repo');
  assert.deepEqual([status, body['scope']], [200, 'user:name repo:read']);
});

test('a scope that the named resource does not know may be named again', async () => {
  const resource = 'https://notes.example';
  await registerResource(database, resource, ['repo:read']);
  const token = await family('user:name repo:read', ['repo:read'], { resource });
  assert.equal((await ask(token, 'user:name repo:read')).body['scope'], 'repo:read');
});

for (const [what, scope, left, named] of [
  ['what was registered but never asked for', 'user', ['user:name'], 'user repo:read'],
  ['a group of which nothing was asked for', 'user', ['user:name'], 'user repo'],
  ['only what the person refused', 'user repo:read', ['user:name'], 'repo:read'],
  ['an unknown scope beside others', 'user', ['user:name'], 'user admin'],
] as const) {
  test(`a refresh that names ${what} is refused with invalid_scope, and spends nothing`, async () => {
    const token = await family(scope, [...left]);
    for (let time = 0; time < 3; time += 1) assert.equal((await ask(token, named)).error, 'invalid_scope');
    assert.equal((await refresh(origin, token)).status, 200);
  });
}

test('a named scope of which nothing is left is refused with invalid_scope, and spends nothing', async () => {
  const token = await family('user repo:read', ['user:name', 'repo:read']);
  await database.query(`update grants set scopes = '{user:name}' where revoked_at is null`);
  assert.equal((await ask(token, 'repo:read')).error, 'invalid_scope');
  assert.equal((await ask(token, 'user')).body['scope'], 'user:name');
});

test('within the grace, requests with other scopes get the same refresh token', async () => {
  const token = await family('user repo:read', ['user:name', 'repo:read']);
  const answers = await Promise.all(
    ['user repo:read', 'user', 'user:email repo:read'].map((scope) => ask(token, scope)),
  );
  assert.deepEqual(new Set(answers.map((answer) => answer.token)).size, 1);
  for (const { body } of answers) assert.ok(!String(body['scope']).includes('email'));
});
