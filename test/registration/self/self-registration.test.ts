import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { eventsOf } from '../../support/attack.ts';
import { challenge, codeIn, encode, getUser, post, signedInBrowser, verifier } from '../../support/flow.ts';
import { registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { invite, metadata, register, sendJson } from '../../support/self-registration.ts';

const { origin, database, url } = await startLatchkey({ REGISTRATION_ENDPOINT: 'open' });
await registerPeople(database);
const alice = await signedInBrowser(origin);
const insecure = { [oauth.allowInsecureRequests]: true };

async function discover(issuer = origin): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(new URL(issuer), { algorithm: 'oauth2', ...insecure });
  return oauth.processDiscoveryResponse(new URL(issuer), response);
}

/** From the authorization request, which alice allows, to her profile. */
async function readProfile(client_id: string, redirect_uri: string, secret?: string) {
  const query = encode({
    response_type: 'code',
    client_id,
    redirect_uri,
    state: 'x',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const code = codeIn(await alice.submit(await alice.visit(`/authorize?${query}`), 'id="allow"'));
  const request = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier, client_id };
  const tokens = await post(
    `${origin}/token`,
    { ...request, ...(secret !== undefined && { client_secret: secret }) },
    { authorization: '' },
  );
  assert.equal(tokens.status, 200);
  assert.equal((await getUser(origin, tokens.body['access_token'])).body['username'], 'alice');
  return tokens.body;
}

test('an independent library registers a client, which then works; the answer states all that is registered [7591 §3.2.1]', async () => {
  const as = await discover();
  assert.equal(as.registration_endpoint, `${origin}/register`);
  const { token_endpoint_auth_method, ...confidential } = metadata;
  const response = await oauth.dynamicClientRegistrationRequest(as, confidential, insecure);
  const client = await oauth.processDynamicClientRegistrationResponse(response);
  const { client_id, client_secret, client_id_issued_at, registration_access_token, ...stated } = client;
  assert.match(client_id, /^app-[0-9a-f]{32}$/);
  assert.match(String(client_secret), /^lk_cs_/);
  assert.match(String(registration_access_token), /^lk_ra_/);
  assert.ok(Math.abs(Number(client_id_issued_at) - Date.now() / 1000) < 60);
  assert.deepEqual(stated, {
    client_name: 'App',
    redirect_uris: ['https://app.example/cb'],
    scope: 'user:name',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_basic',
    client_secret_expires_at: 0,
    dpop_bound_access_tokens: false,
    require_pushed_authorization_requests: false,
    require_signed_request_object: false,
    authorization_signed_response_alg: 'ES256',
    introspection_signed_response_alg: 'ES256',
    registration_client_uri: `${origin}/register/${client_id}`,
  });
  const tokens = await readProfile(client_id, 'https://app.example/cb', String(client_secret));
  assert.match(String(tokens['refresh_token']), /^lk_rt_/);
  const events = await eventsOf(database, 'client_registered');
  assert.deepEqual(
    events.filter((event) => event.client_id === client_id).map(({ detail }) => detail),
    ['by itself'],
  );
});

for (const redirect_uri of [
  'http://localhost:33418/callback',
  'http://127.0.0.1:33418/callback',
  'http://[::1]:33418/',
  'com.example.app:/callback',
]) {
  test(`an app on a device registers without a secret: ${redirect_uri} [8252 §7]`, async () => {
    const { status, body } = await register(origin, { redirect_uris: [redirect_uri] });
    assert.deepEqual([status, 'client_secret' in body], [201, false]);
    await readProfile(body['client_id'], redirect_uri);
  });
}

test('an app on a device may use another port of a loopback address than it registered [8252 §7.3]', async () => {
  const { body } = await register(origin, { redirect_uris: ['http://127.0.0.1/callback'] });
  await readProfile(body['client_id'], 'http://127.0.0.1:50123/callback');
});

test('a public client registers a host and its subdomains together with loopback addresses', async () => {
  const redirect_uris = ['https://insiders.editor.example/', 'https://editor.example/', 'http://127.0.0.1:33418/'];
  const { status, body } = await register(origin, { redirect_uris });
  assert.equal(status, 201);
  const { rows } = await database.query('select site_domain from clients where client_id = $1', [body['client_id']]);
  assert.deepEqual(rows, [{ site_domain: 'editor.example' }]);
  await readProfile(body['client_id'], 'http://127.0.0.1:33418/');
});

test('members that are left out or null have the defaults of RFC 7591, and a scope that changes nothing', async () => {
  const { status, body } = await sendJson(`${origin}/register`, 'POST', {
    redirect_uris: ['https://app.example/cb'],
    client_name: null,
    scope: null,
    grant_types: null,
  });
  assert.equal(status, 201);
  const { client_id, client_name, scope, grant_types, response_types, token_endpoint_auth_method } = body;
  assert.deepEqual(
    { client_name, scope, grant_types, response_types, token_endpoint_auth_method },
    {
      client_name: client_id,
      scope: 'user repo:read',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
    },
  );
});

test('what this server does not offer is left out of the registration, and unknown members are ignored [7591 §2]', async () => {
  const { status, body } = await register(origin, {
    grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
    response_types: ['code', 'token'],
    scope: 'openid user:email offline_access',
    'client_name#de': 'Anwendung',
    contacts: ['someone@app.example'],
    software_id: 'x',
    client_uri: 'https://app.example/about',
    logo_uri: 'https://tracker.example/logo.png',
  });
  assert.equal(status, 201);
  assert.deepEqual(
    [
      body['grant_types'],
      body['response_types'],
      body['scope'],
      body['client_uri'],
      body['logo_uri'],
      body['contacts'],
    ],
    [['authorization_code'], ['code'], 'user:email', 'https://app.example/about', undefined, undefined],
  );
});

test('a client reads, changes and deletes its registration [7592 §2]', async () => {
  const { body } = await register(origin, { client_name: 'Before', scope: 'user repo:read' });
  const { client_id, registration_client_uri: uri, registration_access_token: token } = body;
  assert.equal(uri, `${origin}/register/${client_id}`);
  const read = await sendJson(uri, 'GET', undefined, token);
  assert.deepEqual([read.status, read.body], [200, body]);
  const change = { ...metadata, client_id, client_name: 'After', scope: 'user' };
  const changed = await sendJson(uri, 'PUT', change, token);
  assert.deepEqual([changed.status, changed.body], [200, { ...body, client_name: 'After', scope: 'user' }]);
  assert.deepEqual((await sendJson(uri, 'GET', undefined, token)).body, changed.body);
  assert.deepEqual((await sendJson(uri, 'PUT', change, token)).body, changed.body, 'saved as it was');
  const { status, headers } = await sendJson(uri, 'DELETE', undefined, token);
  assert.deepEqual([status, headers.get('cache-control')], [204, 'no-store']);
  assert.equal((await sendJson(uri, 'GET', undefined, token)).status, 401);
  const { rows } = await database.query('select event from audit_trail where client_id = $1 order by happened_at', [
    client_id,
  ]);
  assert.deepEqual(
    rows.map(({ event }) => event),
    ['client_registered', 'client_changed', 'client_deleted'],
  );
});

test('a client registers for bound tokens, and then gets no others; a change that leaves this out ends it [9449 §5.2]', async () => {
  const { status, body } = await register(origin, { dpop_bound_access_tokens: true });
  assert.deepEqual([status, body['dpop_bound_access_tokens']], [201, true]);
  const { client_id, registration_client_uri: uri, registration_access_token: token } = body;
  await assert.rejects(readProfile(client_id, 'https://app.example/cb'), /400 !== 200/);
  const changed = await sendJson(uri, 'PUT', { ...metadata, client_id }, token);
  assert.equal(changed.body['dpop_bound_access_tokens'], false);
  await readProfile(client_id, 'https://app.example/cb');
  assert.equal((await register(origin, { dpop_bound_access_tokens: 'yes' })).status, 400);
});

test('operators see a client that registered itself like any other, and can vouch for it', async () => {
  await registerPeople(database, ['root']);
  await database.query("update users set is_admin = true where username = 'root'");
  const root = await signedInBrowser(origin, 'root');
  const { body } = await register(origin, { client_name: 'Seen By Operators' });
  const path = `/developer/applications/${body.client_id}`;
  assert.match((await root.visit('/developer/applications')).text, new RegExp(path));
  const page = await root.visit(path);
  assert.match(page.text, /Seen By Operators[\s\S]*Not vouched for/);
  await root.submit(page, 'name="vouched"');
  const query = encode({
    response_type: 'code',
    client_id: body.client_id,
    redirect_uri: 'https://app.example/cb',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  assert.match((await alice.visit(`/authorize?${query}`)).text, /<h1>Allow <bdi[^>]*>Seen By Operators</);
  assert.equal((await alice.visit(path)).status, 404);
});

test('with an invitation as many clients register as it has uses', async () => {
  const { origin } = await startLatchkey({ REGISTRATION_ENDPOINT: 'token' }, url);
  assert.equal((await discover(origin)).registration_endpoint, `${origin}/register`);
  const token = await invite(database, 2);
  const answers = [await register(origin, {}, token), await register(origin, {}, token)];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201],
  );
  assert.equal((await register(origin, {}, token)).status, 401);
});
