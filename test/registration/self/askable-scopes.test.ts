import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizationQuery, codeIn, getUser, post, signedInBrowser, verifier } from '../../support/flow.ts';
import { registerPeople, registerPrinter, registerResource, startLatchkey } from '../../support/latchkey.ts';
import { register, sendJson } from '../../support/self-registration.ts';

// A client that came by itself asks an MCP server for more than it registered, because its registration came first.

const { origin, database } = await startLatchkey({ REGISTRATION_ENDPOINT: 'open' });
await registerPeople(database);
await registerPrinter(database);
const [mcp, other] = ['https://mcp.example/mcp', 'https://other.example/mcp'];
for (const scope of ['mcp:read', 'mcp:write', 'other:write'])
  await database.query('select register_scope($1, $2)', [scope, `Use ${scope}`]);
await registerResource(
  database,
  mcp,
  ['mcp:read', 'mcp:write', 'user:name', 'user:email', 'repo:read'],
  'photo-printer',
);
await registerResource(database, other, ['other:write'], 'photo-printer');
await database.query(`select register_claim(name => 'groups', scope => 'user:groups', sentence => 'See your groups',
  query => 'select null::jsonb where $1 = ''''')`);
const browser = await signedInBrowser(origin);

const registered = async (scope: string | undefined = 'user:name mcp:read') => (await register(origin, { scope })).body;

interface Wanted {
  resource?: string | string[] | undefined;
  scope?: string | undefined;
}

const pageFor = (client_id: string, wanted: Wanted) => {
  const query = new URLSearchParams(
    authorizationQuery({ client_id, redirect_uri: 'https://app.example/cb', prompt: 'consent', scope: wanted.scope }),
  );
  for (const resource of [wanted.resource ?? []].flat()) query.append('resource', resource);
  return browser.visit(`${origin}/authorize?${query}`);
};

const ask = (form: Record<string, string | undefined>) => post(`${origin}/token`, form, { authorization: '' });

/** The tokens of a client to which the person allows all that it asks for. */
async function tokensFor(client_id: string, wanted: Wanted, resource: string | undefined) {
  const code = codeIn(await browser.submit(await pageFor(client_id, wanted), 'id="allow"'));
  const redirect_uri = 'https://app.example/cb';
  const { body } = await ask({
    grant_type: 'authorization_code',
    client_id,
    code,
    redirect_uri,
    code_verifier: verifier,
    resource,
  });
  return body;
}

const renew = async (client_id: string, { refresh_token }: Record<string, unknown>, changes = {}) =>
  ask({ grant_type: 'refresh_token', client_id, refresh_token: String(refresh_token), ...changes });

const scopeOf = async (token: unknown) => (await post(`${origin}/introspect`, { token: String(token) })).body['scope'];

for (const [what, resource, scope] of [
  ['without a resource', undefined, 'mcp:write'],
  ['at this server', origin, 'user:name mcp:write'],
  ['for what another resource knows', mcp, 'mcp:read other:write'],
  ['for what nobody knows', mcp, 'mcp:read mcp:admin'],
  ['for a scope of this server that the resource knows, too', mcp, 'mcp:read user:email'],
  ['for a scope of this server', mcp, 'mcp:read user:write'],
  ['for a scope that reveals a claim', mcp, 'mcp:read user:groups'],
] as const) {
  test(`a request ${what} stays within the registration`, async () => {
    const { client_id } = await registered();
    const page = await pageFor(client_id, { resource, scope });
    assert.deepEqual([page.status, /invalid_scope/.test(page.text)], [400, true], page.text);
  });
}

test('a refusal does not say whether a resource exists that knows other scopes than those of the request', async () => {
  const { client_id } = await registered();
  const nowhere = 'https://nowhere.example/mcp';
  const refusalOf = async (wanted: Wanted) => {
    const { text } = await pageFor(client_id, wanted);
    return [...text.matchAll(/<dd[^>]*>(.*?)<\/dd>/g)].map(([, told]) => told).slice(0, 2);
  };
  for (const scope of ['mcp:read', 'mcp:write', 'mcp:read mcp:write'])
    assert.deepEqual(await refusalOf({ resource: other, scope }), await refusalOf({ resource: nowhere, scope }), scope);
  assert.match(
    String(await refusalOf({ resource: other, scope: 'mcp:read' })),
    /invalid_target.*,resource names nothing/,
  );
});

test('a request without a scope is for what was registered, and says so of a resource that knows nothing of it', async () => {
  const { client_id } = await registered();
  const { scope } = await tokensFor(client_id, { resource: mcp }, mcp);
  assert.equal(scope, 'user:name mcp:read');
  assert.match((await pageFor(client_id, { resource: other })).text, /invalid_target/);
});

test('what goes beyond the registration counts at the resource only, also where the request is for this server, too', async () => {
  const { client_id } = await registered();
  const wanted = { resource: [origin, mcp], scope: 'user:name mcp:read repo:read mcp:write' };
  const there = await tokensFor(client_id, wanted, mcp);
  assert.equal(there['scope'], 'user:name mcp:read repo:read mcp:write');
  assert.equal(await scopeOf(there['access_token']), 'user:name repo:read mcp:read mcp:write');
  const { body: here } = await renew(client_id, there, { resource: origin });
  assert.equal(here['scope'], 'user:name mcp:read');
  assert.equal((await getUser(origin, here['access_token'])).status, 200);
});

test('a refresh names what was asked for beyond the registration, and nothing else', async () => {
  const { client_id } = await registered();
  const tokens = await tokensFor(client_id, { resource: mcp, scope: 'mcp:write' }, mcp);
  const { body } = await renew(client_id, tokens, { scope: 'mcp:write' });
  assert.equal(body['scope'], 'mcp:write');
  for (const scope of ['mcp:write mcp:read', 'mcp:write other:write', 'mcp:write repo:write'])
    assert.equal((await renew(client_id, body, { scope })).body['error'], 'invalid_scope', scope);
  assert.equal((await renew(client_id, body, { scope: 'mcp:write' })).status, 200, 'nothing was spent');
});

test('a refresh names a group, of which the client has registered a part and was granted this part', async () => {
  const { client_id } = await registered('repo:read mcp:read');
  const tokens = await tokensFor(client_id, { resource: mcp, scope: 'repo:read' }, mcp);
  const { body } = await renew(client_id, tokens, { scope: 'repo' });
  assert.equal(body['scope'], 'repo:read');
  assert.equal((await renew(client_id, body, { scope: 'repo mcp:read' })).body['error'], 'invalid_scope');
});

test('tokens lose a scope that the resource knows no more', async (t) => {
  const { client_id } = await registered();
  const tokens = await tokensFor(client_id, { resource: mcp, scope: 'mcp:read mcp:write' }, mcp);
  const { rows } = await database.query('select scopes from resources where resource = $1', [mcp]);
  t.after(() => database.query('update resources set scopes = $2 where resource = $1', [mcp, rows[0].scopes]));
  await database.query(`update resources set scopes = '{mcp:read}' where resource = $1`, [mcp]);
  assert.equal(await scopeOf(tokens['access_token']), 'mcp:read');
});

test('a change by the client itself, or by others that leaves its scopes, does not fix them', async () => {
  const { client_id, registration_client_uri, registration_access_token } = await registered();
  const members = { redirect_uris: ['https://app.example/cb'], token_endpoint_auth_method: 'none' };
  const change = { ...members, client_id, client_name: 'Agent', scope: 'user:name' };
  assert.equal((await sendJson(registration_client_uri, 'PUT', change, registration_access_token)).status, 200);
  await database.query('select save_client($1, $2, by_admin => true)', [client_id, { name: 'Other agent' }]);
  assert.equal((await pageFor(client_id, { resource: mcp, scope: 'mcp:write' })).status, 200);
});

test('whoever else sets the scopes of the client decides what it may ask for, and its tokens lose the rest', async () => {
  const { client_id, registration_client_uri, registration_access_token } = await registered();
  const tokens = await tokensFor(client_id, { resource: mcp, scope: 'mcp:read mcp:write' }, mcp);
  await database.query('select save_client($1, $2, by_admin => true)', [client_id, { scopes: ['user:name'] }]);
  assert.match((await pageFor(client_id, { resource: mcp, scope: 'mcp:write' })).text, /invalid_target|invalid_scope/);
  assert.notEqual(await scopeOf(tokens['access_token']), 'mcp:read mcp:write');
  const members = { redirect_uris: ['https://app.example/cb'], token_endpoint_auth_method: 'none' };
  const change = { ...members, client_id, client_name: 'Agent', scope: 'user:name' };
  assert.equal((await sendJson(registration_client_uri, 'PUT', change, registration_access_token)).status, 200);
  assert.match((await pageFor(client_id, { resource: mcp, scope: 'mcp:write' })).text, /invalid_target|invalid_scope/);
});

test('a client that an operator registered stays within its registration', async () => {
  const page = await browser.visit(`${origin}/authorize?${authorizationQuery({ resource: mcp, scope: 'mcp:write' })}`);
  assert.match(page.location ?? page.text, /invalid_(scope|target)/);
});
