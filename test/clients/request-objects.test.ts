import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClientKey, registerKeyClient, sign, withAssertion } from '../support/client-assertion.ts';
import { createDpopKey, proofFor, redeemWith } from '../support/dpop.ts';
import {
  authorizationQuery,
  basic,
  challenge,
  codeIn,
  encode,
  post,
  redeem,
  signedInBrowser,
} from '../support/flow.ts';
import { printer, registerPrinter, registerResource, startWithPrinter } from '../support/latchkey.ts';
import { signRequest } from '../support/request-object.ts';

const { origin, database } = await startWithPrinter();
const key = createClientKey('one');
const keys = [
  key,
  createClientKey('two', 'PS256'),
  createClientKey('three', 'EdDSA'),
  createClientKey('four', 'Ed25519'),
];
await registerPrinter(database, { client_id: 'public', client_secret: null });
await registerKeyClient(database, { keys });
const jwks = JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
await database.query("update clients set jwks = $1 where client_id in ('photo-printer', 'public')", [jwks]);
const browser = await signedInBrowser(origin);

type Changes = Parameters<typeof signRequest>[2];
type Form = Parameters<typeof post>[1];

const push = async (changes: Changes = {}, beside: Form = {}, signer = key) =>
  post(`${origin}/par`, { request: await signRequest(signer, origin, changes), ...beside });

/** The page that answers a pushed request, with a consent given at once. */
async function answerTo(pushed: ReturnType<typeof post>, client_id = printer.client_id, beside: Form = {}) {
  const { status, body } = await pushed;
  assert.equal(status, 201, JSON.stringify(body));
  const query = encode({ client_id, request_uri: String(body['request_uri']), ...beside });
  const page = await browser.visit(`/authorize?${query}`);
  return page.location === undefined ? browser.submit(page, 'id="allow"') : page;
}

for (const signer of keys) {
  test(`a request that the client has signed with ${signer.alg} leads to a code and tokens [9101 §4] [9126 §3]`, async () => {
    const code = codeIn(await answerTo(push({}, {}, signer)));
    assert.equal((await redeem(origin, code)).status, 200);
  });
}

test('the type may be left out or spelled in any case, and the audience may be one of several [A406] [A407]', async () => {
  for (const typ of [undefined, 'OautH-auThZ-REQ+jWt', 'application/oauth-authz-req+jwt']) {
    assert.equal((await push({ header: typ === undefined ? { typ: undefined as never } : { typ } })).status, 201, typ);
  }
  for (const aud of [[origin], ['https://other.example', origin]]) {
    assert.equal((await push({ claims: { aud } })).status, 201);
  }
});

test('only what is in the object counts [9101 §6.3] [A403]', async () => {
  const beside = {
    scope: 'user:write',
    redirect_uri: 'https://evil.example/',
    state: 'beside',
    response_type: 'token',
    response_mode: 'jwt',
    prompt: 'none',
    resource: 'https://nope.example',
    code_challenge: 'x',
    code_challenge_method: 'plain',
  };
  const { location = '' } = await answerTo(push({}, beside), printer.client_id, { state: 'in the query' });
  const { origin: host, searchParams } = new URL(location);
  assert.equal(host, 'https://printer.example');
  assert.equal(searchParams.get('state'), 'the-state');
  const { status, body } = await redeem(origin, searchParams.get('code') ?? '');
  assert.deepEqual([status, body['scope']], [200, 'user']);
});

test('what is not in the object is not taken from beside it [A403]', async () => {
  const beside = { state: 'beside', code_challenge: challenge, code_challenge_method: 'S256' };
  const stateless = await answerTo(push({ claims: { state: undefined } }, beside));
  assert.equal(new URL(stateless.location ?? '').searchParams.get('state'), null);
  const withoutPkce = { code_challenge: undefined, code_challenge_method: undefined };
  const request = await signRequest(key, origin, { client_id: 'public', claims: withoutPkce });
  const { status, body } = await post(
    `${origin}/par`,
    { client_id: 'public', request, ...beside },
    { authorization: '' },
  );
  assert.deepEqual([status, body['error']], [400, 'invalid_request']);
  assert.match(String(body['error_description']), /code_challenge is missing/);
});

test('the key of the code is that of the DPoP proof of the push, or dpop_jkt in the object, but not beside it [A403]', async () => {
  const [ours, other] = [await createDpopKey(), await createDpopKey()];
  const headers = async () => ({ authorization: basic(), dpop: await proofFor(ours, `${origin}/par`) });
  const { thumbprint: dpop_jkt } = other;
  const unbound = codeIn(await answerTo(push({}, { dpop_jkt })));
  assert.equal((await redeem(origin, unbound)).status, 200);
  for (const pushed of [
    push({ claims: { dpop_jkt: ours.thumbprint } }),
    post(`${origin}/par`, { request: await signRequest(key, origin), dpop_jkt }, await headers()),
  ]) {
    const code = codeIn(await answerTo(pushed));
    assert.equal((await redeemWith(other, origin, code)).body['error'], 'invalid_grant');
  }
  const request = await signRequest(key, origin, { claims: { dpop_jkt } });
  const { status, body } = await post(`${origin}/par`, { request }, await headers());
  assert.deepEqual([status, body['error']], [400, 'invalid_dpop_proof']);
});

test('a request with more parameters than one may have is refused where it is pushed [9101 §4]', async () => {
  const resource = (count: number) => Array.from({ length: count }, (_, index) => `https://${index}.example/`);
  const { status, body } = await push({ claims: { resource: resource(150) } });
  assert.deepEqual([status, body['error']], [400, 'invalid_request_object']);
  assert.match(String(body['error_description']), /no more than 100 parameters/);
  const more = Object.fromEntries(resource(150).map((name) => [name, 'x']));
  assert.ok(codeIn(await answerTo(push({ claims: more }))), 'what this server does not know does not count');
});

test('resource may be a list, and what this server does not know is ignored, of whatever type', async () => {
  const resources = ['https://one.example/', 'https://two.example/'];
  for (const resource of resources) await registerResource(database, resource, ['repo']);
  const claims = { resource: resources, scope: 'repo', max_age: 60, claims: { userinfo: {} }, ['__proto__']: 'x' };
  const code = codeIn(await answerTo(push({ claims })));
  const { status } = await redeem(origin, code, { resource: resources[1] });
  assert.equal(status, 200);
});

test('a client that proves its key for authentication can sign its requests, too', async () => {
  const request = await signRequest(key, origin, { client_id: 'bank' });
  const proof = withAssertion(await sign(key, origin));
  const answer = await answerTo(post(`${origin}/par`, { request, ...proof }, { authorization: '' }), 'bank');
  assert.ok(codeIn(answer));
});

test('a client that must sign its requests cannot send others [9101 §10.5]', async () => {
  const demand = 'update clients set require_signed_request_object = $1 where client_id = $2';
  await database.query(demand, [true, printer.client_id]);
  const request = Object.fromEntries(new URLSearchParams(authorizationQuery()));
  const pushed = await post(`${origin}/par`, request);
  assert.deepEqual([pushed.status, pushed.body['error']], [400, 'invalid_request']);
  const { location = '' } = await browser.visit(`/authorize?${authorizationQuery()}`);
  assert.equal(new URL(location).searchParams.get('error'), 'invalid_request');
  assert.ok(codeIn(await answerTo(push())));
  await database.query(demand, [false, printer.client_id]);
  assert.equal((await post(`${origin}/par`, request)).status, 201);
});
