import assert from 'node:assert/strict';
import { constants, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { test } from 'node:test';
import { now, sign, withAssertion } from '../support/client-assertion.ts';
import { createDpopKey, type DpopKey } from '../support/dpop.ts';
import { type Bank, registerBank, startFapi2 } from '../support/fapi2.ts';
import type { TokenAnswer } from '../support/flow.ts';
import { changed, forge } from '../support/jwt.ts';
import { signRequest } from '../support/request-object.ts';

// What holds for each JWT that a client signs: assertions, DPoP proofs and request objects. All of them are accepted at /par.

const { latchkey, bank } = await startFapi2();
const { origin, database } = latchkey;
const algorithms = ['PS256', 'ES256', 'EdDSA', 'Ed25519'] as const;
const clients: Record<string, { bank: Bank; dpop: DpopKey }> = {};
for (const alg of algorithms) {
  clients[alg] = { bank: await registerBank(latchkey, `client-${alg}`, alg), dpop: await createDpopKey(alg) };
}

interface Signed {
  /** which of the clients; its key may sign by another algorithm than it was made for */
  by?: string;
  alg?: string;
  claims?: Record<string, unknown>;
  spoil?: (jwt: string) => string;
}

const clientOf = (by = 'ES256') => clients[by] ?? assert.fail(by);
const unspoiled = (jwt: string) => jwt;

/** Pushes a request with one JWT of this kind; all else is right. */
const kinds: Record<string, (signed: Signed) => Promise<TokenAnswer>> = {
  async 'client assertion'({ by, alg, claims = {}, spoil = unspoiled }) {
    const { bank: client } = clientOf(by);
    const key = { ...client.key, alg: alg ?? client.key.alg };
    const assertion = await sign(key, origin, { client_id: client.client_id, claims });
    return client.push({}, { changes: withAssertion(spoil(assertion)) });
  },
  async 'DPoP proof'({ by = 'ES256', alg = by, claims = {}, spoil = unspoiled }) {
    const { bank: client, dpop } = clientOf(by);
    const key = alg === by ? dpop : await createDpopKey(alg);
    return client.push({}, { dpop: spoil(await client.proof('/par', { header: { alg }, claims }, key)) });
  },
  async 'request object'({ by, alg, claims = {}, spoil = unspoiled }) {
    const { bank: client } = clientOf(by);
    const key = { ...client.key, alg: alg ?? client.key.alg };
    const request = await signRequest(key, origin, { client_id: client.client_id, claims });
    return client.post('/par', { request: spoil(request) });
  },
};

const refusals: Record<string, [status: number, error: string]> = {
  'client assertion': [401, 'invalid_client'],
  'DPoP proof': [400, 'invalid_dpop_proof'],
  'request object': [400, 'invalid_request_object'],
};

for (const [kind, push] of Object.entries(kinds)) {
  async function assertRefused(signed: Signed): Promise<void> {
    const { status, body } = await push(signed);
    assert.deepEqual([status, body['error']], refusals[kind]);
    assert.equal((await push({ by: signed.by ?? 'ES256' })).status, 201);
  }

  for (const by of algorithms) {
    test(`a ${kind} may be signed by ${by} [FAPI2 5.4.1-1]`, async () => {
      const { status, body } = await push({ by });
      assert.equal(status, 201, JSON.stringify(body));
    });
  }

  for (const alg of ['RS256', 'RS512', 'PS512']) {
    test(`a ${kind} that is signed by ${alg} is refused with ${refusals[kind]?.[1]} [FAPI2 5.4.1-1]`, () =>
      assertRefused({ by: 'PS256', alg }));
  }

  test(`a ${kind} with the algorithm none is refused [FAPI2 5.4.1-1]`, () =>
    assertRefused({ spoil: (jwt) => forge(...changed(jwt, { alg: 'none' }, {}), () => '') }));

  for (const claim of ['iat', 'nbf']) {
    test(`the ${claim} of a ${kind} may be up to ten seconds ahead, and is refused when it is more than sixty [FAPI2 5.3.2.1-13]`, async () => {
      const exp = now() + 1800;
      for (const ahead of [-10, 0, 10]) {
        const { status, body } = await push({ claims: { [claim]: now() + ahead, exp } });
        assert.equal(status, 201, `${ahead} ${JSON.stringify(body)}`);
      }
      for (const ahead of [65, 3600]) await assertRefused({ claims: { [claim]: now() + ahead, exp } });
    });
  }

  test(`a ${kind} whose exp has passed is refused [7519 §4.1.4]`, () => assertRefused({ claims: { exp: now() - 5 } }));
}

test('a DPoP proof may carry further members in jwk and further claims [9449 §4.2]', async () => {
  const jwk = { ...bank.dpop.jwk, use: 'sig', alg: 'ES256', kid: 'k', other: 1 };
  const claims = { nbf: now() - 10, exp: now() + 60, aud: 'x', other: { a: 1 } };
  const { status } = await bank.push({}, { dpop: await bank.proof('/par', { header: { jwk }, claims }) });
  assert.equal(status, 201);
});

const publicJwk = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' });

for (const [what, jwk, isAccepted] of [
  ['an RSA key of 2048 bits is accepted', publicJwk(2048), true],
  ['an RSA key of 1024 bits is refused [FAPI2 5.4.1-2]', publicJwk(1024), false],
  [
    'an elliptic curve of 192 bits is refused [FAPI2 5.4.1-3]',
    { kty: 'EC', crv: 'P-192', x: 'A'.repeat(32), y: 'A'.repeat(32) },
    false,
  ],
] as const) {
  test(`in a registration ${what}`, async () => {
    const values = [JSON.stringify({ keys: [{ ...jwk, kid: 'a' }] })];
    const registered = database.query(
      `select register_client(client_id => 'sized', name => 'S', site_domain => 's.example', scopes => '{user}', profile => 'fapi2',
         redirect_uris => array['https://s.example/'], token_endpoint_auth_method => 'private_key_jwt', jwks => $1)`,
      values,
    );
    if (isAccepted) await registered;
    else await assert.rejects(registered, /neither RSA of 2048/);
  });
}

test('a DPoP proof with an RSA key of 1024 bits is refused [FAPI2 5.4.1-2]', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const header = { alg: 'PS256', typ: 'dpop+jwt', jwk: publicKey.export({ format: 'jwk' }) };
  const honest = await bank.proof('/par');
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const dpop = forge(...changed(honest, header, {}), (input) =>
    signBytes('sha256', Buffer.from(input), { key: privateKey, padding, saltLength: 32 }),
  );
  const { status, body } = await bank.push({}, { dpop });
  assert.deepEqual([status, body['error']], [400, 'invalid_dpop_proof']);
  assert.equal((await bank.push({}, { dpop: honest })).status, 201);
});
