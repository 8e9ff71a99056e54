import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportJWK } from 'jose';
import {
  type ClientKey,
  createClientKey,
  registerKeyClient,
  sign,
  withAssertion,
} from '../support/client-assertion.ts';
import { createDpopKey, proofFor } from '../support/dpop.ts';
import { obtainCode, post, redeem, signedInBrowser } from '../support/flow.ts';
import { startWithPrinter } from '../support/latchkey.ts';
import { signRequest } from '../support/request-object.ts';

// the algorithm has an older name, EdDSA, and a newer one, Ed25519: in the header of a JWT and in its key either may stand

const { origin, database } = await startWithPrinter();
const browser = await signedInBrowser(origin);
const noHeader = { authorization: '' };
const names = ['EdDSA', 'Ed25519'] as const;

/** Each asks with a JWT whose header and whose key name these algorithms, and returns the status. */
const uses = {
  async 'a client assertion'(header: string, key: ClientKey) {
    const proof = withAssertion(await sign(key, origin, { header: { alg: header } }));
    return (await post(`${origin}/introspect`, { token: 'x', ...proof }, noHeader)).status;
  },
  async 'a request object'(header: string, key: ClientKey) {
    const request = await signRequest(key, origin, { client_id: 'bank', header: { alg: header } });
    const proof = withAssertion(await sign(first, origin));
    return (await post(`${origin}/par`, { request, ...proof }, noHeader)).status;
  },
  async 'a DPoP proof'(header: string, { jwk: { alg } }: ClientKey) {
    const key = await createDpopKey('Ed25519');
    const jwk = {
      ...(await exportJWK(key.privateKey).then(({ d: _, ...own }) => own)),
      ...(alg !== undefined && { alg }),
    };
    const dpop = await proofFor(key, `${origin}/token`, { header: { alg: header, jwk } });
    return (await redeem(origin, await obtainCode(browser), {}, { dpop })).status;
  },
};

const first = createClientKey('first');
const own = createClientKey('own', 'Ed25519');

/** The client has this key, which says that it is for one algorithm. */
async function keyOf(alg: string): Promise<ClientKey> {
  const key = { ...own, jwk: { ...own.jwk, alg } };
  await registerKeyClient(database, { keys: [first, own] });
  // a version of before did not refuse the others
  const jwks = JSON.stringify({ keys: [first.jwk, key.jwk] });
  await database.query("update clients set jwks = $1 where client_id = 'bank'", [jwks]);
  return key;
}

for (const [what, statusWith] of Object.entries(uses)) {
  test(`${what} may name the algorithm EdDSA or Ed25519, whatever its key says [9864 §2.2]`, async () => {
    for (const alg of names) {
      const key = await keyOf(alg);
      for (const header of names) assert.ok((await statusWith(header, key)) < 300, `${header} with a key for ${alg}`);
    }
  });

  test(`${what} is refused if its key is for another algorithm [7517 §4.4]`, async () => {
    for (const alg of ['ES256', 'Ed448', 'eddsa', '']) {
      const key = await keyOf(alg);
      for (const header of names)
        assert.ok([400, 401].includes(await statusWith(header, key)), `${header} with ${alg}`);
    }
    assert.ok((await statusWith('Ed25519', await keyOf('Ed25519'))) < 300);
  });
}

test('a client that registered one of the names for its requests may send the other, and no other algorithm', async () => {
  const key = await keyOf('EdDSA');
  for (const registered of names) {
    await database.query("update clients set request_object_signing_alg = $1 where client_id = 'bank'", [registered]);
    for (const header of names) assert.equal(await uses['a request object'](header, key), 201, header);
    assert.equal(await uses['a request object']('ES256', first), 400);
  }
});
