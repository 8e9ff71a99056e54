import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { createClientKey, now, registerKeyClient, sign, withAssertion } from '../support/client-assertion.ts';
import { authorizationQuery, basic, obtainCode, post, redeem, signedInBrowser } from '../support/flow.ts';
import { changed, forge } from '../support/jwt.ts';
import { printer, registerJwtResource, registerPrinter, startWithPrinter } from '../support/latchkey.ts';
import { signRequest } from '../support/request-object.ts';

const one = await startWithPrinter();
const { origin, database } = one;
const key = createClientKey('one');
const foreignKey = createClientKey('one');
await registerPrinter(database, { client_id: 'other' });
await registerPrinter(database, { client_id: 'keyless' });
await registerKeyClient(database, { keys: [key] });
for (const [client_id, { jwk }] of [
  [printer.client_id, key],
  ['other', foreignKey],
] as const) {
  await database.query('update clients set jwks = $1 where client_id = $2', [
    JSON.stringify({ keys: [jwk] }),
    client_id,
  ]);
}
const api = 'https://api.example/';
await registerJwtResource(database, api, ['repo']);
const browser = await signedInBrowser(origin);

type Changes = NonNullable<Parameters<typeof signRequest>[2]>;

const object = (changes: Changes = {}, signer = key) => signRequest(signer, origin, changes);
const push = (request: string, form = {}, client_id = printer.client_id) =>
  post(`${origin}/par`, { request, ...form }, { authorization: basic(client_id) });

async function stored(): Promise<number> {
  return Number((await database.query('select count(*) from pushed_requests')).rows[0].count);
}

async function assertRefused(pushed: ReturnType<typeof post>, error = 'invalid_request_object') {
  const before = await stored();
  const { status, body } = await pushed;
  assert.deepEqual([status, body['error']], [400, error]);
  assert.equal(await stored(), before);
}

test('the request from which the others differ is accepted', async () => {
  assert.equal((await push(await object())).status, 201);
  assert.equal((await push(await object({ client_id: 'other' }, foreignKey), {}, 'other')).status, 201);
});

for (const [what, changes] of [
  ['another client_id', { claims: { client_id: 'other' } }],
  ['another iss', { claims: { iss: 'other' } }],
  ['no client_id', { claims: { client_id: undefined } }],
  ['no iss', { claims: { iss: undefined } }],
] as const) {
  test(`a request object with ${what} is refused [A404]`, async () => {
    await assertRefused(push(await object(changes)));
  });
}

test('a request object of one client is of no use to another [A404] [A407]', async () => {
  const request = await object();
  await assertRefused(push(request, {}, 'other'));
  await assertRefused(push(request, { client_id: 'other' }), 'invalid_request');
  await assertRefused(push(await object({}, foreignKey)));
  await assertRefused(push(await object({ client_id: 'keyless' }), {}, 'keyless'));
  assert.equal((await push(request)).status, 201);
});

for (const [what, claims] of [
  ['no exp', () => ({ exp: undefined })],
  ['an exp in the past', () => ({ exp: now() - 5 })],
  ['an exp more than an hour after nbf', () => ({ exp: now() + 70 * 60 })],
  ['no nbf', () => ({ nbf: undefined })],
  ['an nbf of more than an hour ago', () => ({ nbf: now() - 70 * 60 })],
  ['an nbf a minute ahead', () => ({ nbf: now() + 75 })],
  ['an iat a minute ahead', () => ({ iat: now() + 75 })],
  ['no aud', () => ({ aud: undefined })],
  ['the token endpoint as aud', () => ({ aud: `${origin}/token` })],
  ['another server as aud', () => ({ aud: ['https://other.example'] })],
  ['a jti that is no text', () => ({ jti: 5 })],
  ['a request inside', () => ({ request: 'x.y.z' })],
  ['a request_uri inside', () => ({ request_uri: 'urn:ietf:params:oauth:request_uri:x' })],
  ['an object as state', () => ({ state: { a: 1 } })],
  ['true as state', () => ({ state: true })],
  ['null as state', () => ({ state: null })],
  ['a number as state', () => ({ state: 5 })],
  ['a list as state', () => ({ state: ['a'] })],
  ['an object as scope', () => ({ scope: {} })],
  ['a list as scope', () => ({ scope: ['user', 'repo'] })],
  ['null as redirect_uri', () => ({ redirect_uri: null })],
  ['a list as response_type', () => ({ response_type: ['code'] })],
  ['a number as code_challenge', () => ({ code_challenge: 43 })],
  ['false as prompt', () => ({ prompt: false })],
  ['a number as login_hint', () => ({ login_hint: 1 })],
  ['a list as max_age', () => ({ max_age: [1] })],
  ['an object as max_age', () => ({ max_age: {} })],
  ['a text as max_age', () => ({ max_age: '60' })],
  ['a fraction as max_age', () => ({ max_age: 0.5 })],
  ['a negative max_age', () => ({ max_age: -1 })],
  ['null as max_age', () => ({ max_age: null })],
  ['an object as resource', () => ({ scope: 'repo', resource: {} })],
  ['a number among the resources', () => ({ scope: 'repo', resource: [api, 1] })],
  ['a number as sub', () => ({ sub: 1 })],
  ['a number in aud', () => ({ aud: [origin, 1] })],
  ['a text as exp', () => ({ exp: String(now() + 60) })],
  ['a list as nbf', () => ({ nbf: [now()] })],
  ['null as iat', () => ({ iat: null })],
  ['NUL in a claim', () => ({ state: 'a\0b' })],
  ['half a character in a claim', () => ({ state: 'a\ud800' })],
] as const) {
  test(`a request object with ${what} is refused [A407]`, async () => {
    await assertRefused(push(await object({ claims: claims() })));
  });
}

test('claims of the right types are accepted, and those of extensions may have any [9101 §4]', async () => {
  const extensions = {
    claims: { userinfo: {} },
    authorization: [{ type: 'x' }],
    nonce: 'n',
    vtr: null,
    acr: true,
  };
  for (const claims of [
    { max_age: 0 },
    { max_age: 3600 },
    { scope: 'repo', resource: api },
    { scope: 'repo', resource: [api] },
    { state: '' },
    extensions,
  ]) {
    const { status, body } = await push(await object({ claims }));
    assert.equal(status, 201, JSON.stringify([claims, body]));
  }
  const unknown = await object({ claims: { authorization_details: [{ type: 'x' }] } });
  await assertRefused(push(unknown), 'invalid_authorization_details');
});

test('the clock of a client may be a few seconds ahead [A407]', async () => {
  const ahead = now() + 8;
  assert.equal((await push(await object({ claims: { nbf: ahead, iat: ahead } }))).status, 201);
});

test('a request object with a jti counts once, also when it is pushed twenty times at once [A407]', async () => {
  const request = await object();
  const answers = await Promise.all(Array.from({ length: 20 }, () => push(request)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  await assertRefused(push(request));
  const jti = 'of both';
  assert.equal((await push(await object({ claims: { jti } }))).status, 201);
  const others = await object({ client_id: 'other', claims: { jti } }, foreignKey);
  assert.equal((await push(others, {}, 'other')).status, 201, 'another client may use the same');
});

test('without a jti the client can push it again, as another request [A407]', async () => {
  const request = await object({ claims: { jti: undefined } });
  const uris = [(await push(request)).body['request_uri'], (await push(request)).body['request_uri']];
  assert.ok(uris.every((uri) => typeof uri === 'string'));
  assert.notEqual(uris[0], uris[1]);
});

test('a request that is refused does not use up its jti', async () => {
  const request = await object({ claims: { redirect_uri: 'https://printer.example/new' } });
  await assertRefused(push(request), 'invalid_request');
  await database.query("update clients set redirect_uris = redirect_uris || array['https://printer.example/new']");
  assert.equal((await push(request)).status, 201);
});

for (const typ of [
  'JWT',
  'at+jwt',
  'dpop+jwt',
  'client-authentication+jwt',
  'token-introspection+jwt',
  'jwt-authz-req',
]) {
  test(`a JWT of the type ${typ} is no request object [A406]`, async () => {
    await assertRefused(push(await object({ header: { typ } })));
  });
}

test('a client assertion is no request object, and a request object no client assertion [9101 §10.8] [A406]', async () => {
  const asBank = async (parameters: Parameters<typeof post>[1]) =>
    post(`${origin}/par`, parameters, { authorization: '' });
  const parameters = Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id: 'bank' })));
  const both = { ...parameters, nbf: now() };
  const assertion = await sign(key, origin, { claims: both });
  await assertRefused(asBank({ request: assertion, ...withAssertion(await sign(key, origin)) }));
  for (const typ of [undefined as never, 'oauth-authz-req+jwt']) {
    const request = await object({ client_id: 'bank', header: { typ } });
    const { status, body } = await asBank({ ...parameters, ...withAssertion(request) });
    assert.deepEqual([status, body['error']], [401, 'invalid_client']);
  }
  const request = await object({ client_id: 'bank' });
  assert.equal((await asBank({ request, ...withAssertion(await sign(key, origin)) })).status, 201);
  assert.equal((await asBank({ ...parameters, ...withAssertion(assertion) })).status, 201);
});

test('what this server has signed is no request object [A406]', async () => {
  const code = await obtainCode(browser, { scope: 'repo', resource: api });
  const { access_token } = (await redeem(origin, code)).body;
  const page = await browser.visit(`/authorize?${authorizationQuery({ response_mode: 'jwt', scope: 'nonsense' })}`);
  const answer = new URL(page.location ?? '').searchParams.get('response');
  for (const jwt of [access_token, answer]) await assertRefused(push(String(jwt)));
});

const publicKey = JSON.stringify(key.jwk);
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

for (const [what, spoil] of [
  [
    'a claim changed after signing',
    (jwt) => forge(...changed(jwt, {}, { scope: 'repo' }), () => jwt.split('.')[2] ?? ''),
  ],
  ['no signature', (jwt) => forge(...changed(jwt, { alg: 'none' }, {}), () => '')],
  [
    'the public key as a secret',
    (jwt) =>
      forge(...changed(jwt, { alg: 'HS256' }, {}), (input) => createHmac('sha256', publicKey).update(input).digest()),
  ],
  ['an unknown kid', () => object({ header: { kid: 'two' } })],
  ['a key of its own in the header', () => object({ header: { jwk: foreignKey.jwk } }, foreignKey)],
  ['RS256', () => object({}, { ...key, alg: 'RS256', privateKey: rsa })],
  ['five parts', (jwt) => `${jwt}.x.y`],
  ['text that is no JWT', () => 'x.y.z'],
  ['more than 8192 characters', () => object({ claims: { state: 'x'.repeat(8192) } })],
] as readonly (readonly [string, (jwt: string) => string | Promise<string>])[]) {
  test(`a request object with ${what} is refused`, async () => {
    await assertRefused(push(await spoil(await object())));
  });
}

test('two request objects in one push are refused', async () => {
  await assertRefused(push('', { request: [await object(), await object()] }), 'invalid_request');
});
