import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { basic, getUser, obtainCode, post, redeem, signedInBrowser } from '../../support/flow.ts';
import { printer, registerPrinter, registerResource, startWithPrinter } from '../../support/latchkey.ts';

const { origin, database } = await startWithPrinter();
const api = 'https://api.example/';
for (const client_id of ['the-api', 'other-api']) await registerPrinter(database, { client_id });
await registerPrinter(database, { client_id: 'public', client_secret: null });
await registerResource(database, api, ['repo'], 'the-api');
const browser = await signedInBrowser(origin);
const { access_token, refresh_token } = (await redeem(origin, await obtainCode(browser))).body;
const forApi = (await redeem(origin, await obtainCode(browser, { scope: 'repo', resource: api }))).body['access_token'];

const signedType = 'application/token-introspection+jwt';

async function ask(token: unknown, accept: string | undefined, client_id = printer.client_id) {
  const response = await fetch(`${origin}/introspect`, {
    method: 'POST',
    headers: { authorization: basic(client_id), ...(accept === undefined ? {} : { accept }) },
    body: new URLSearchParams({ token: String(token) }),
  });
  const { status, headers } = response;
  return { status, headers, type: headers.get('content-type'), text: await response.text() };
}

const keys = createRemoteJWKSet(new URL(`${origin}/jwks`));

/** The claims of a signed answer for this client. */
async function verified(jwt: string, audience: string) {
  const options = { issuer: origin, audience, typ: 'token-introspection+jwt', algorithms: ['ES256'] };
  return (await jwtVerify(jwt, keys, options)).payload;
}

for (const [what, token, client_id, isActive] of [
  ['an access token', access_token, printer.client_id, true],
  ['a refresh token', refresh_token, printer.client_id, true],
  ['a token for an API, asked by the API', forApi, 'the-api', true],
  ['a token for an API, asked by another one', forApi, 'other-api', false],
  ['an unknown token', 'x', printer.client_id, false],
] as const) {
  test(`the signed answer about ${what} says what the JSON says, to the client that asks [9701 §5] [A409]`, async () => {
    const plain = JSON.parse((await ask(token, 'application/json', client_id)).text);
    const { status, type, headers, text } = await ask(token, signedType, client_id);
    assert.deepEqual([status, type, headers.get('cache-control')], [200, signedType, 'no-store']);
    assert.match(headers.get('vary') ?? '', /\bAccept\b/);
    const { iss, aud, iat = 0, ...others } = await verified(text, client_id);
    assert.ok(Math.abs(iat - Date.now() / 1000) < 30);
    assert.deepEqual(others, { token_introspection: plain }, 'nothing about the token is outside of its member');
    assert.equal(plain.active, isActive);
    if (!isActive) assert.deepEqual(plain, { active: false });
  });
}

test('an answer is signed only for a client that prefers it [9701 §4] [A409]', async () => {
  const json = 'application/json;charset=UTF-8';
  for (const [accept, type] of [
    [undefined, json],
    ['*/*', json],
    ['application/json', json],
    ['text/html', json],
    [`${signedType};q=0`, json],
    [`application/json, ${signedType};q=0.5`, json],
    [`application/json;q=0.5, ${signedType}`, signedType],
    [`${signedType}, */*;q=0.1`, signedType],
    [signedType.toUpperCase(), signedType],
  ] as const) {
    assert.equal((await ask(access_token, accept)).type, type, accept);
  }
});

test('refusals stay JSON [A409]', async () => {
  const headers = { accept: signedType };
  const wrong = await post(`${origin}/introspect`, { token: 'x' }, { ...headers, authorization: basic('nobody') });
  assert.deepEqual([wrong.status, wrong.body['error']], [401, 'invalid_client']);
  const anybody = { token: 'x', client_id: 'public' };
  const open = await post(`${origin}/introspect`, anybody, { ...headers, authorization: '' });
  assert.deepEqual([open.status, open.body['error']], [400, 'unauthorized_client']);
});

test('a signed answer is for no other client, and no token itself [A409] [A406]', async () => {
  const { text } = await ask(forApi, signedType, 'the-api');
  await verified(text, 'the-api');
  await assert.rejects(verified(text, 'other-api'), { code: 'ERR_JWT_CLAIM_VALIDATION_FAILED' });
  assert.equal((await getUser(origin, text)).status, 401);
  assert.deepEqual(JSON.parse((await ask(text, 'application/json', 'the-api')).text), { active: false });
});
