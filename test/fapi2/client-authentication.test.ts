import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClientKey, now, sign, withAssertion } from '../support/client-assertion.ts';
import { startFapi2 } from '../support/fapi2.ts';
import { post } from '../support/flow.ts';

// How a client of the profile fapi2 authenticates, at each address where it does.

const { latchkey, bank, other, browser } = await startFapi2();
const { origin } = latchkey;
const { refresh_token } = (await bank.exchange(await bank.code(browser))).body;

type Sent = Parameters<typeof bank.push>[1];

const endpoints = {
  '/par': (sent: Sent) => bank.push({}, sent),
  '/token': (sent: Sent) => bank.refresh(refresh_token, sent),
  '/revoke': (sent: Sent) => bank.post('/revoke', { token: 'x' }, sent),
  '/introspect': (sent: Sent) => bank.post('/introspect', { token: 'x' }, sent),
};

async function assertRefused(sent: () => Promise<Sent> | Sent): Promise<void> {
  for (const [path, ask] of Object.entries(endpoints)) {
    const { status, headers, body } = await ask(await sent());
    assert.deepEqual([status, body['error']], [401, 'invalid_client'], path);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.ok((await ask({})).status < 300, path);
  }
}

test('the assertion alone names the client; it has no typ [7521 §4.2] [FAPI2 5.3.2.1-6]', async () => {
  for (const [path, ask] of Object.entries(endpoints)) assert.ok((await ask({})).status < 300, path);
});

test('a client_id beside the assertion must be its own [7521 §4.2]', async () => {
  for (const [path, ask] of Object.entries(endpoints)) {
    assert.ok((await ask({ changes: { client_id: 'bank' } })).status < 300, path);
    const { status, body } = await ask({ changes: { client_id: 'other' } });
    assert.deepEqual([status, body['error']], [400, 'invalid_request'], path);
  }
});

for (const [what, aud] of [
  ['a list with the issuer alone', [origin]],
  ['a list with the issuer and another server', [origin, 'https://other.example']],
  ['the token endpoint', `${origin}/token`],
  ['/par', `${origin}/par`],
  ['the issuer with a slash', `${origin}/`],
  ['another server', 'https://other.example'],
  ['nobody', undefined],
] as const) {
  test(`the audience is the issuer as a string, and not ${what} [FAPI2 5.3.2.1-8]`, () =>
    assertRefused(() => ({ assertion: { claims: { aud } } })));
}

for (const [what, claims] of [
  ['without sub', { sub: undefined }],
  ['without iss', { iss: undefined }],
  ['whose iss is not its sub', { iss: 'other' }],
  ['of another client', { sub: 'other', iss: 'other' }],
  ['without exp', { exp: undefined }],
  ['that has expired', { exp: now() - 1 }],
  ['without jti', { jti: undefined }],
] as const) {
  test(`an assertion ${what} is refused [7523 §3]`, () => assertRefused(() => ({ assertion: { claims } })));
}

test('an assertion that is signed by the key of another client, or by an unknown one, is refused, whatever its kid says [7523 §3]', async () => {
  const { kid } = bank.key.jwk;
  for (const stranger of [other.key, createClientKey('nobody')]) {
    await assertRefused(async () => ({
      changes: withAssertion(await sign(stranger, origin, { header: { kid } })),
    }));
  }
});

test('an assertion counts once for its client, at whichever address [FAPI2 5.3.2.1-6] [7523 §3]', async () => {
  for (const ask of Object.values(endpoints)) {
    const proof = await bank.authentication();
    assert.ok((await ask({ changes: proof })).status < 300);
    for (const [path, again] of Object.entries(endpoints)) {
      const { status, body } = await again({ changes: proof });
      assert.deepEqual([status, body['error']], [401, 'invalid_client'], path);
    }
  }
});

test('an assertion beside a DPoP proof that is refused may be sent again with a right one [FAPI2 5.3.2.1-6]', async () => {
  for (const path of ['/par', '/token'] as const) {
    const changes = await bank.authentication();
    const dpop = await bank.proof(path, { claims: { htm: 'GET' } });
    const refused = await endpoints[path]({ changes, dpop });
    assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_dpop_proof']);
    assert.ok((await endpoints[path]({ changes, dpop: await bank.proof(path) })).status < 300);
  }
});

test('a request without an assertion, or with a secret, gets invalid_client [FAPI2 5.3.2.1-3, 5.3.2.1-6]', async () => {
  const anonymous = { authorization: '' };
  for (const path of Object.keys(endpoints)) {
    for (const secret of [{}, { client_secret: 'a-secret-of-some-length' }]) {
      const { status, body } = await post(origin + path, { client_id: 'bank', token: 'x', ...secret }, anonymous);
      const isRefused = status === 401 && body['error'] === 'invalid_client';
      // what is missing from the request may be said first
      assert.ok(isRefused || body['error'] === 'invalid_request', `${path} ${status} ${JSON.stringify(body)}`);
    }
  }
});
