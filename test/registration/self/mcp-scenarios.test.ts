import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser } from '../../support/browser.ts';
import {
  basic,
  challenge,
  codeIn,
  encode,
  getUser,
  post,
  refresh,
  signedInBrowser,
  verifier,
} from '../../support/flow.ts';
import { type Latchkey, printer, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { startPlainMcpServer } from '../../support/mcp-server.ts';
import { register, sendJson } from '../../support/self-registration.ts';

// What the client scenarios of @modelcontextprotocol/conformance expect of a client, sent to this server: mcp-scenarios.md has them all.

const redirect_uri = 'http://localhost:3000/callback';

async function start(env: Record<string, string> = {}): Promise<Latchkey & { alice: Browser }> {
  const latchkey = await startLatchkey({ REGISTRATION_ENDPOINT: 'open', ...env });
  await registerPeople(latchkey.database);
  await registerPrinter(latchkey.database);
  for (const scope of ['mcp:basic', 'mcp:read', 'mcp:write'])
    await latchkey.database.query('select register_scope($1, $2)', [scope, `Use ${scope}`]);
  return { ...latchkey, alice: await signedInBrowser(latchkey.deps.config.issuer) };
}

interface Found {
  resource?: string;
  metadata: {
    issuer: string;
    authorization_endpoint: string;
    token_endpoint: string;
    registration_endpoint?: string;
    scopes_supported?: string[];
    token_endpoint_auth_methods_supported?: string[];
  };
  /** the scope that the client asks for: of the challenge, or else of the metadata of the MCP server */
  scope?: string | undefined;
}

const documentAt = async (url: string) => {
  const response = await fetch(url);
  return response.ok ? await response.json() : undefined;
};

async function firstOf(urls: string[]) {
  for (const url of urls) {
    const found = await documentAt(url);
    if (found) return found;
  }
  throw new Error(`nothing at ${urls}`);
}

const ask = (url: string, method = 'tools/list', token?: unknown) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
  });

const inChallenge = (response: Response, name: string) =>
  new RegExp(`[ ,]${name}="([^"]*)"`).exec(response.headers.get('www-authenticate') ?? '')?.[1];

/** Where clients look for the metadata of an authorization server, in the order of MCP or with those of OpenID first. */
function placesOf(issuer: string, isOpenIdFirst: boolean): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === '/' ? '' : pathname;
  const [oauth, ...openId] = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return isOpenIdFirst ? [...openId, oauth] : [oauth, ...openId];
}

/** From the refusal of the MCP server to the metadata of the authorization server. */
async function discover(url: string, isOpenIdFirst = false): Promise<Found> {
  const refused = await ask(url);
  assert.equal(refused.status, 401);
  const { origin, pathname } = new URL(url);
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  const named = inChallenge(refused, 'resource_metadata');
  const published = await firstOf(named === undefined ? [wellKnown + pathname, wellKnown] : [named]);
  assert.ok(url.startsWith(published.resource), 'the metadata are about the server that was asked');
  const [issuer] = published.authorization_servers;
  const metadata = await firstOf(placesOf(issuer, isOpenIdFirst));
  assert.equal(metadata.issuer, issuer, 'to the letter');
  const scope = inChallenge(refused, 'scope') ?? published.scopes_supported?.join(' ');
  return { resource: published.resource, metadata, scope };
}

interface Agent {
  client_id: string;
  client_secret?: string | undefined;
  token_endpoint_auth_method?: unknown;
}

async function registerAt({ metadata }: Found, changes: Record<string, unknown> = {}): Promise<Agent> {
  const { status, body } = await sendJson(metadata.registration_endpoint ?? '', 'POST', {
    client_name: 'Agent',
    application_type: 'native',
    redirect_uris: [redirect_uri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    ...changes,
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** What a client sends with each request of the token endpoint, as it was registered. */
function credentialsOf({ client_id, client_secret, token_endpoint_auth_method: method }: Agent) {
  if (method === 'client_secret_basic')
    return { form: {}, headers: { authorization: basic(client_id, client_secret) } };
  return { form: { client_id, client_secret }, headers: { authorization: '' } };
}

const linkOf = ({ metadata, resource }: Found, { client_id }: Agent, scope: string | undefined) => {
  const request = { response_type: 'code', client_id, redirect_uri, state: 'the-state', scope, resource };
  return `${metadata.authorization_endpoint}?${encode({ ...request, code_challenge: challenge, code_challenge_method: 'S256' })}`;
};

/** The person allows, and the client compares `iss` and `state` before it redeems the code. */
async function authorize(browser: Browser, found: Found, agent: Agent, scope = found.scope) {
  const page = await browser.visit(linkOf(found, agent, scope));
  const answer = page.location === undefined ? await browser.submit(page, 'id="allow"') : page;
  const { searchParams } = new URL(answer.location ?? assert.fail(page.text));
  assert.deepEqual([searchParams.get('iss'), searchParams.get('state')], [found.metadata.issuer, 'the-state']);
  const { form, headers } = credentialsOf(agent);
  const exchange = { grant_type: 'authorization_code', code: codeIn(answer), redirect_uri, code_verifier: verifier };
  const { status, body } = await post(
    found.metadata.token_endpoint,
    { ...exchange, ...form, resource: found.resource },
    headers,
  );
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body['token_type'], 'Bearer');
  return body;
}

const latchkey = await start();
const { alice, origin, deps } = latchkey;

for (const [name, settings, env, isOpenIdFirst] of [
  ['metadata-default', {}, {}, false],
  ['metadata-var1', { isNamed: false }, {}, true],
  [
    'metadata-var2',
    { metadataPath: '/.well-known/oauth-protected-resource', isNamed: false },
    { ISSUER: '/tenant1' },
    false,
  ],
  ['metadata-var3', { metadataPath: '/custom/metadata/location.json' }, { ISSUER: '/tenant1' }, true],
] as const) {
  test(`auth/${name}: a client finds this server, registers itself and calls a tool`, async () => {
    const server = await start(env);
    const url = await startPlainMcpServer(server, { ...settings, challengedScope: 'mcp:basic' });
    const found = await discover(url, isOpenIdFirst);
    const tokens = await authorize(server.alice, found, await registerAt(found));
    assert.equal((await ask(url, 'tools/list', tokens['access_token'])).status, 200);
  });
}

test('auth/2025-03-26-oauth-metadata-backcompat: the metadata are at the root of the server that is asked', async () => {
  const metadata = await documentAt(`${origin}/.well-known/oauth-authorization-server`);
  const { access_token } = await authorize(alice, { metadata }, await registerAt({ metadata }));
  assert.equal((await getUser(origin, access_token)).body['username'], 'alice');
});

test('auth/2025-03-26-oauth-endpoint-fallback: without metadata, the endpoints are where the first specification of MCP says', async () => {
  const endpoints = { authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` };
  const metadata = { ...endpoints, issuer: origin, registration_endpoint: `${origin}/register` };
  const { access_token } = await authorize(alice, { metadata }, await registerAt({ metadata }));
  assert.equal((await getUser(origin, access_token)).body['username'], 'alice');
});

test('auth/scope-from-www-authenticate: the token has the scope of the challenge, and no more', async () => {
  const url = await startPlainMcpServer(latchkey, { challengedScope: 'mcp:read', needs: { 'tools/list': 'mcp:read' } });
  const found = await discover(url);
  const { access_token, scope } = await authorize(alice, found, await registerAt(found));
  assert.equal(scope, 'mcp:read');
  assert.deepEqual(await (await ask(url, 'tools/list', access_token)).json(), { result: 'mcp:read' });
});

test('auth/scope-from-scopes-supported: all scopes of the MCP server can be registered and asked for', async () => {
  const scopes_supported = ['mcp:basic', 'mcp:read', 'mcp:write'];
  const url = await startPlainMcpServer(latchkey, { scopes_supported });
  const found = await discover(url);
  const { access_token, scope } = await authorize(alice, found, await registerAt(found, { scope: found.scope }));
  assert.equal(scope, scopes_supported.join(' '));
  assert.equal((await ask(url, 'tools/list', access_token)).status, 200);
});

test('auth/scope-omitted-when-undefined: without a scope, the token has what the client may ask for at the MCP server', async () => {
  const url = await startPlainMcpServer(latchkey);
  const found = await discover(url);
  assert.equal(found.scope, undefined);
  const { access_token, scope } = await authorize(alice, found, await registerAt(found));
  assert.equal(scope, 'mcp:basic mcp:read');
  assert.equal((await ask(url, 'tools/list', access_token)).status, 200);
});

const needs = { 'tools/list': 'mcp:basic', 'tools/call': 'mcp:read', 'tools/write': 'mcp:write' };

/** From a refusal for too little scope to a token with that scope, too. */
async function stepUp(url: string, found: Found, agent: Agent, method: keyof typeof needs) {
  const refused = await ask(url, method, (await authorize(alice, found, agent))['access_token']);
  assert.deepEqual([refused.status, inChallenge(refused, 'scope')], [403, needs[method]]);
  return `${found.scope} ${needs[method]}`;
}

for (const registered of [undefined, 'mcp:basic', 'mcp:basic mcp:write']) {
  test(`auth/scope-step-up: a client that registered ${registered ?? 'no scope'} asks for one more, gets a token with both, and keeps it`, async () => {
    const url = await startPlainMcpServer(latchkey, { challengedScope: 'mcp:basic', needs });
    const found = await discover(url);
    const agent = await registerAt(found, { scope: registered });
    for (const method of ['tools/call', 'tools/write'] as const) {
      const scope = await stepUp(url, found, agent, method);
      const tokens = await authorize(alice, found, agent, scope);
      const { form, headers } = credentialsOf(agent);
      const again = {
        grant_type: 'refresh_token',
        refresh_token: String(tokens['refresh_token']),
        resource: url,
        scope,
      };
      const renewed = await post(`${origin}/token`, { ...again, ...form }, headers);
      for (const { access_token } of [tokens, renewed.body])
        for (const one of ['tools/list', method]) assert.equal((await ask(url, one, access_token)).status, 200, one);
    }
  });
}

for (const method of ['client_secret_basic', 'client_secret_post', 'none']) {
  const name = method === 'none' ? method : method.replace('client_secret_', '');
  test(`auth/token-endpoint-auth-${name}: a client registers for ${method}, and authenticates so`, async () => {
    const url = await startPlainMcpServer(latchkey, { challengedScope: 'mcp:basic' });
    const found = await discover(url);
    assert.ok(found.metadata.token_endpoint_auth_methods_supported?.includes(method));
    const agent = await registerAt(found, { token_endpoint_auth_method: method });
    assert.equal(agent.token_endpoint_auth_method, method);
    assert.equal(agent.client_secret === undefined, method === 'none');
    const tokens = await authorize(alice, found, agent);
    assert.equal((await ask(url, 'tools/list', tokens['access_token'])).status, 200);
    const { form, headers } = credentialsOf(agent);
    assert.equal((await refresh(origin, tokens['refresh_token'], form, headers)).status, 200);
  });
}

test('auth/pre-registration: where nobody can register, the metadata name no address for that, and a known client authenticates by Basic', async () => {
  const closed = await start({ REGISTRATION_ENDPOINT: 'off' });
  await registerPrinter(closed.database, {
    redirect_uris: [redirect_uri],
    scopes: ['mcp:basic'],
    site_domain: 'localhost',
  });
  const url = await startPlainMcpServer(closed, { challengedScope: 'mcp:basic' });
  const found = await discover(url);
  assert.equal(found.metadata.registration_endpoint, undefined);
  const { client_id, client_secret } = printer;
  const agent = { client_id, client_secret, token_endpoint_auth_method: 'client_secret_basic' };
  const { access_token } = await authorize(closed.alice, found, agent);
  assert.equal((await ask(url, 'tools/list', access_token)).status, 200);
});

test('auth/offline-access-scope, auth/offline-access-not-supported: the metadata list offline_access, which the MCP server does not, and it decides nothing', async () => {
  const url = await startPlainMcpServer(latchkey, { scopes_supported: ['mcp:basic'] });
  const found = await discover(url);
  assert.ok(found.metadata.scopes_supported?.includes('offline_access'));
  for (const [grant_types, scope] of [
    [['authorization_code', 'refresh_token'], 'mcp:basic offline_access'],
    [['authorization_code', 'refresh_token'], 'mcp:basic'],
    [['authorization_code'], 'mcp:basic'],
  ] as const) {
    const agent = await registerAt(found, { grant_types });
    const tokens = await authorize(alice, found, agent, scope);
    assert.equal(tokens['refresh_token'] !== undefined, grant_types.length === 2);
    assert.equal(tokens['scope'], scope);
    if (tokens['refresh_token'] === undefined) continue;
    const { form, headers } = credentialsOf(agent);
    const { body } = await refresh(
      origin,
      tokens['refresh_token'],
      { ...form, resource: found.resource ?? '' },
      headers,
    );
    assert.equal((await ask(url, 'tools/list', body['access_token'])).status, 200);
  }
});

test('auth/authorization-server-migration: a client of another server is unknown here, and registers itself', async () => {
  const url = await startPlainMcpServer(latchkey, { challengedScope: 'mcp:basic' });
  const found = await discover(url);
  const other = await start();
  const { client_id } = (await register(other.origin, { redirect_uris: [redirect_uri] })).body;
  const page = await alice.visit(linkOf(found, { client_id }, found.scope));
  assert.deepEqual([page.status, page.location], [400, undefined]);
  const { status, body } = await refresh(origin, 'x', { client_id }, { authorization: '' });
  assert.deepEqual([status, body['error']], [401, 'invalid_client']);
  const { access_token } = await authorize(alice, found, await registerAt(found));
  assert.equal((await ask(url, 'tools/list', access_token)).status, 200);
});

test('auth/iss-…: a code and a refusal come with the issuer of the metadata, to the letter, which says so', async () => {
  for (const {
    alice: browser,
    deps: { config },
  } of [latchkey, await start({ ISSUER: '/tenant1' })]) {
    const metadata = await firstOf(placesOf(config.issuer, false));
    assert.deepEqual([metadata.issuer, metadata.authorization_response_iss_parameter_supported], [config.issuer, true]);
    const agent = await registerAt({ metadata });
    await authorize(browser, { metadata }, agent);
    const page = await browser.visit(linkOf({ metadata }, agent, 'user:name'));
    const denied = new URL((await browser.submit(page, 'id="deny"')).location ?? '').searchParams;
    assert.deepEqual([denied.get('error'), denied.get('iss')], ['access_denied', config.issuer]);
  }
});

test('auth/resource-mismatch: the metadata of this server are about itself, and a token is for no other resource than its request', async () => {
  const found = await discover(`${origin}/user`);
  assert.deepEqual([found.resource, found.metadata.issuer], [origin, deps.config.issuer]);
  const agent = await registerAt(found);
  const { access_token } = await authorize(alice, found, agent, 'user:name');
  assert.equal((await getUser(origin, access_token)).body['username'], 'alice');
  const page = await alice.visit(linkOf({ ...found, resource: 'https://evil.example/mcp' }, agent, 'user:name'));
  assert.match(page.text, /invalid_target/);
});

test('auth/client-credentials-…, auth/enterprise-managed-authorization, auth/wif-jwt-bearer: no token without a person', async () => {
  const metadata = await documentAt(`${origin}/.well-known/oauth-authorization-server`);
  assert.deepEqual(metadata.grant_types_supported, ['authorization_code', 'refresh_token']);
  const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  for (const grant_type of ['client_credentials', jwtBearer, 'urn:ietf:params:oauth:grant-type:token-exchange']) {
    const { status, body } = await post(`${origin}/token`, { grant_type, assertion: 'x.y.z', scope: 'mcp:basic' });
    assert.deepEqual([status, body['error']], [400, 'unsupported_grant_type'], grant_type);
  }
});
