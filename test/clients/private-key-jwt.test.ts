import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { createClientKey, registerKeyClient, sign, withAssertion } from '../support/client-assertion.ts';
import {
  authorizationQuery,
  basic,
  challenge,
  codeIn,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
  verifier,
} from '../support/flow.ts';
import { printer, registerPeople, startLatchkey } from '../support/latchkey.ts';
import { metadata, register, sendJson } from '../support/self-registration.ts';

const { origin, database } = await startLatchkey({ REGISTRATION_ENDPOINT: 'open' });
await registerPeople(database);
const keys = [
  createClientKey('ec'),
  createClientKey('rsa', 'PS256'),
  createClientKey('ed', 'EdDSA'),
  createClientKey('ed2', 'Ed25519'),
] as const;
const [key] = keys;
await registerKeyClient(database, { keys: [...keys] });
const browser = await signedInBrowser(origin);
const noHeader = { authorization: '' };
const insecure = { [oauth.allowInsecureRequests]: true };

const bankCode = () => obtainCode(browser, { client_id: 'bank' });
const authenticated = async (client_id = 'bank') => withAssertion(await sign(key, origin, { client_id }));

for (const one of keys) {
  test(`a client exchanges a code and refreshes with assertions that it signs by ${one.alg} [7523 §2.2]`, async () => {
    const proof = async () => withAssertion(await sign(one, origin));
    const { status, body } = await redeem(origin, await bankCode(), await proof(), noHeader);
    assert.equal(status, 200, JSON.stringify(body));
    const refreshed = await refresh(origin, body['refresh_token'], await proof(), noHeader);
    assert.equal(refreshed.status, 200);
    assert.equal((await getUser(origin, refreshed.body['access_token'])).status, 200);
  });
}

test('a key that was registered for signing and verifying authenticates: what only its owner can do is not asked of it', async () => {
  const both = createClientKey('both');
  const jwk = { ...both.jwk, key_ops: ['sign', 'verify'] };
  await registerKeyClient(database, { client_id: 'both', keys: [{ ...both, jwk }] });
  const proof = withAssertion(await sign(both, origin, { client_id: 'both' }));
  assert.equal((await refresh(origin, 'x', proof, noHeader)).body['error'], 'invalid_grant');
});

test('the same assertions authenticate at every endpoint for clients, with client_id or without', async () => {
  const request = Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id: undefined })));
  const pushed = await post(`${origin}/par`, { ...request, ...(await authenticated()) }, noHeader);
  assert.equal(pushed.status, 201);
  const query = new URLSearchParams({ client_id: 'bank', request_uri: String(pushed.body['request_uri']) });
  const answer = await browser.visit(`/authorize?${query}`);
  const code = codeIn(answer.location ? answer : await browser.submit(answer, 'id="allow"'));
  const { body } = await redeem(origin, code, { client_id: 'bank', ...(await authenticated()) }, noHeader);
  const token = String(body['access_token']);
  const introspected = await post(`${origin}/introspect`, { token, ...(await authenticated()) }, noHeader);
  assert.equal(introspected.body['active'], true);
  assert.equal((await post(`${origin}/revoke`, { token, ...(await authenticated()) }, noHeader)).status, 200);
  assert.equal((await getUser(origin, token)).status, 401);
  const github = { code: await obtainCode(browser, { client_id: 'bank' }, {}, '/login/oauth/authorize') };
  const { status, body: tokens } = await post(
    `${origin}/login/oauth/access_token`,
    { ...github, redirect_uri: printer.redirect_uri, code_verifier: verifier, ...(await authenticated()) },
    { ...noHeader, accept: 'application/json' },
  );
  assert.deepEqual([status, typeof tokens['access_token']], [200, 'string'], JSON.stringify(tokens));
});

test('oauth4webapi exchanges, refreshes, introspects and revokes by private_key_jwt', async () => {
  const issuer = new URL(origin);
  const discovery = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
  const server = await oauth.processDiscoveryResponse(issuer, discovery);
  const client = { client_id: 'bank' };
  const pair = await crypto.subtle.importKey(
    'jwk',
    key.privateKey.export({ format: 'jwk' }),
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['sign'],
  );
  const authentication = oauth.PrivateKeyJwt({ key: pair, kid: key.jwk.kid });
  const code_verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const code_challenge = await oauth.calculatePKCECodeChallenge(code_verifier);
  const request = { client_id: 'bank', state, code_challenge, prompt: 'consent' };
  const page = await browser.visit(`/authorize?${authorizationQuery(request)}`);
  const { location = '' } = await browser.submit(page, 'id="allow"');
  const callback = oauth.validateAuthResponse(server, client, new URL(location), state);
  const { redirect_uri } = printer;
  const exchange = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    callback,
    redirect_uri,
    code_verifier,
    insecure,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchange);
  const refreshing = await oauth.refreshTokenGrantRequest(
    server,
    client,
    authentication,
    tokens.refresh_token ?? '',
    insecure,
  );
  const { access_token } = await oauth.processRefreshTokenResponse(server, client, refreshing);
  const asking = await oauth.introspectionRequest(server, client, authentication, access_token, insecure);
  assert.equal((await oauth.processIntrospectionResponse(server, client, asking)).active, true);
  const revoking = await oauth.revocationRequest(server, client, authentication, access_token, insecure);
  await oauth.processRevocationResponse(revoking);
  assert.equal((await getUser(origin, access_token)).status, 401);
});

test('an assertion that came with a request without a change can come again with the corrected request', async () => {
  const proof = await authenticated();
  const code = await bankCode();
  assert.equal((await redeem(origin, code, { grant_type: undefined, ...proof }, noHeader)).status, 400);
  assert.equal((await redeem(origin, code, proof, noHeader)).status, 200);
});

for (const [who, audience, isIssuer] of [
  ['the issuer', [origin], true],
  ['the GitHub-compatible issuer', [`${origin}/login/oauth`], true],
  ['the token endpoint', [`${origin}/token`], false],
  ['/par', [`${origin}/par`], false],
  ['the GitHub-compatible token endpoint', [`${origin}/login/oauth/access_token`], false],
  ['the issuer and the token endpoint', [origin, `${origin}/token`], false],
] as const) {
  const others = isIssuer ? 'any client' : 'a client that was registered before, and of no other';
  test(`the audience of an assertion may be ${who}, of ${others} [7523 §3] [9126 §2] [draft-ietf-oauth-rfc7523bis §4]`, async () => {
    await database.query('delete from attempts');
    await registerKeyClient(database, { client_id: 'older', keys: [key], audience: 'address' });
    for (const aud of audience.length === 1 ? [audience, audience[0]] : [audience]) {
      for (const client_id of ['bank', 'older']) {
        const code = await obtainCode(browser, { client_id });
        const proof = async (claims = {}) => withAssertion(await sign(key, origin, { client_id, claims }));
        const expected = isIssuer || client_id === 'older' ? 200 : 401;
        assert.equal((await redeem(origin, code, await proof({ aud }), noHeader)).status, expected, client_id);
        if (expected === 401) assert.equal((await redeem(origin, code, await proof(), noHeader)).status, 200);
      }
    }
  });
}

test('a registration that does not state the audience gives a new client the issuer, and leaves that of an earlier one', async () => {
  const audienceOf = async () =>
    (await database.query("select assertion_audience from clients where client_id = 'aged'")).rows[0]
      .assertion_audience;
  await registerKeyClient(database, { client_id: 'aged', keys: [key] });
  assert.equal(await audienceOf(), 'issuer');
  // as the migration leaves those that were there
  await database.query("update clients set assertion_audience = default where client_id = 'aged'");
  await registerKeyClient(database, { client_id: 'aged', keys: [key] });
  await database.query(`select change_client('aged', '{"name": "Aged"}', true)`);
  assert.equal(await audienceOf(), 'address');
  await registerKeyClient(database, { client_id: 'aged', keys: [key], audience: 'issuer' });
  assert.equal(await audienceOf(), 'issuer');
  await assert.rejects(
    registerKeyClient(database, { client_id: 'aged', keys: [key], audience: 'any' }),
    /knows issuer and address/,
  );
});

test('a client registers itself with its keys, replaces them, and stays without a secret [7591 §2]', async () => {
  const first = createClientKey('1');
  const stated = {
    token_endpoint_auth_method: 'private_key_jwt',
    redirect_uris: ['https://app.example/cb'],
    jwks: { keys: [first.jwk] },
  };
  const { status, body } = await register(origin, stated);
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual([body['jwks'], 'client_secret' in body], [stated.jwks, false]);
  const { client_id, registration_client_uri, registration_access_token } = body;
  const redirect_uri = 'https://app.example/cb';
  const exchange = async (one: typeof first) => {
    const request = { client_id, redirect_uri, scope: 'user:name', code_challenge: challenge };
    const code = await obtainCode(browser, request);
    const proof = withAssertion(await sign(one, origin, { client_id }));
    return (await redeem(origin, code, { redirect_uri, ...proof }, noHeader)).status;
  };
  assert.equal(await exchange(first), 200);
  const second = createClientKey('2');
  const change = (changes: object) => {
    const members = { ...metadata, ...stated, client_id, ...changes };
    return sendJson(registration_client_uri, 'PUT', members, registration_access_token);
  };
  assert.equal((await change({ jwks: { keys: [second.jwk] } })).status, 200);
  assert.deepEqual([await exchange(first), await exchange(second)], [401, 200]);
  for (const token_endpoint_auth_method of ['none', 'client_secret_basic']) {
    const refused = await change({ token_endpoint_auth_method });
    assert.match(
      String(refused.body['error_description']),
      /cannot change between none, a secret, a key and a certificate/,
    );
  }
  const jwks_uri = 'https://app.example/jwks';
  const moved = await change({ jwks: undefined, jwks_uri });
  assert.deepEqual([moved.status, moved.body['jwks_uri'], moved.body['jwks']], [200, jwks_uri, undefined]);
  assert.equal(await exchange(second), 503, 'nobody knows what is there');
});

for (const [what, changes, problem] of [
  ['no key', { jwks: undefined }, /^jwks: missing/],
  ['a private key', { jwks: { keys: [key.privateKey.export({ format: 'jwk' })] } }, /^jwks: secret/],
  ['a symmetric key', { jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }, /^jwks: secret/],
  ['a key twice', { jwks: { keys: [key.jwk, key.jwk] } }, /^jwks: kid/],
  ['keys in two places', { jwks_uri: 'https://app.example/jwks' }, /^jwks: twice/],
  ['keys without TLS', { jwks: undefined, jwks_uri: 'http://app.example/jwks' }, /^jwks_uri: not https/],
  ['a list of keys', { jwks: [key.jwk] }, /^jwks is malformed/],
  ['a key with NUL in it', { jwks: { keys: [{ ...key.jwk, kid: '\0' }] } }, /^jwks is malformed/],
  ['a key with a deep member', { jwks: { keys: [{ ...key.jwk, x5c: [[['x']]] }] } }, /^jwks is malformed/],
] as const) {
  test(`a client does not register itself with ${what}`, async () => {
    const accepted = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.jwk] } };
    assert.equal((await register(origin, accepted)).status, 201);
    const { status, body } = await register(origin, { ...accepted, ...changes });
    assert.deepEqual([status, body['error']], [400, 'invalid_client_metadata']);
    assert.match(String(body['error_description']), problem);
  });
}

test('a client whose secret is replaced by a key no longer authenticates by the secret', async () => {
  const register = `select register_client(client_id => 'moving', name => 'Moving', site_domain => $1,
    redirect_uris => array[$2], scopes => array['user'], `;
  const values = [printer.site_domain, printer.redirect_uri];
  await database.query(`${register} client_secret => $3)`, [...values, printer.client_secret]);
  const authorization = basic('moving');
  const code = () => obtainCode(browser, { client_id: 'moving' });
  assert.equal((await redeem(origin, await code(), {}, { authorization })).status, 200);
  await database.query(`${register} token_endpoint_auth_method => 'private_key_jwt', jwks => $3)`, [
    ...values,
    JSON.stringify({ keys: [key.jwk] }),
  ]);
  const moved = await code();
  assert.equal((await redeem(origin, moved, {}, { authorization })).status, 401);
  assert.equal((await redeem(origin, moved, await authenticated('moving'), noHeader)).status, 200);
});
