import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import type { JWK } from 'jose';
import { publicKeyProblem } from '../../src/lib/public-key.ts';
import { badKeys, beside25519 } from '../support/bad-keys.ts';
import { issueCertificate, noOpenssl } from '../support/certificate.ts';
import { createClientKey, now, registerKeyClient, sign, withAssertion } from '../support/client-assertion.ts';
import { createDpopKey, proofOf } from '../support/dpop.ts';
import { authorizationQuery, post } from '../support/flow.ts';
import { changed, forge } from '../support/jwt.ts';
import { startWithPrinter } from '../support/latchkey.ts';
import { signRequest } from '../support/request-object.ts';
import { register } from '../support/self-registration.ts';

const { origin, database, logged } = await startWithPrinter({
  REGISTRATION_ENDPOINT: 'open',
  ...{ TRUST_PROXY: 'loopback', CLIENT_CERT_HEADER: 'X-Client-Cert' },
});
const key = createClientKey('key');
const noHeader = { authorization: '' };
const request = (client_id: string) => Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id })));

beforeEach(() => database.query('delete from attempts'));

const registerJwks = (keys: unknown[], more = {}) => {
  const values = { client_id: 'keyed', jwks: JSON.stringify({ keys }), ...more };
  const names = Object.keys(values).map((name, index) => `${name} => $${index + 1}`);
  return database.query(
    `select register_client(${names.join(', ')}, name => 'Keyed', site_domain => 'keyed.example',
       redirect_uris => array['https://keyed.example/cb'], scopes => array['user'],
       token_endpoint_auth_method => 'private_key_jwt')`,
    Object.values(values),
  );
};

/** As a version of before could have stored it. */
const store = (jwk: object) =>
  database.query('update clients set jwks = $1 where client_id = $2', [
    JSON.stringify({ keys: [{ ...jwk, kid: 'key' }] }),
    'bank',
  ]);

/** A JWT that is right but for its key. */
const signedBy = ({ alg, signer }: (typeof badKeys)[string], jwt: string, header: object = {}) =>
  forge(...changed(jwt, { alg, ...header }, {}), signer ?? (() => Buffer.alloc(64)));

for (const [what, bad] of Object.entries(badKeys)) {
  test(`${what} is refused by register_client, /register and whatever else registers clients [7518 §6] [A377]`, async () => {
    await assert.rejects(registerJwks([{ ...bad.jwk, kid: 'bad' }]), bad.atRegistration);
    await assert.rejects(registerJwks([key.jwk, { ...bad.jwk, kid: 'bad' }]), bad.atRegistration);
    const { status, body } = await register(origin, {
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [bad.jwk] },
    });
    assert.deepEqual([status, body['error']], [400, 'invalid_client_metadata']);
    await registerJwks([key.jwk]);
  });

  test(`${what} authenticates no client that was registered with it before [A377]`, async () => {
    await registerKeyClient(database, { keys: [key] });
    const push = async (assertion: string) =>
      (await post(`${origin}/par`, { ...request('bank'), ...withAssertion(assertion) }, noHeader)).status;
    assert.equal(await push(await sign(key, origin)), 201);
    await store(bad.jwk);
    assert.equal(await push(signedBy(bad, await sign(key, origin))), 401);
    // the others fit no signature at all
    if ('alg' in bad.jwk || 'k' in bad.jwk || bad.jwk['crv'] === 'P-384') return;
    assert.match(logged.findLast((line) => line.includes('assertion invalid')) ?? '', /the key for it is not used: it/);
  });

  test(`${what} makes no DPoP proof [9449 §4.3] [A377]`, async () => {
    const dpopKey = await createDpopKey();
    const proof = await proofOf(dpopKey, { method: 'POST', url: `${origin}/token` });
    const code = { grant_type: 'authorization_code', code: 'x', client_id: 'photo-printer' };
    const ask = async (dpop: string) => (await post(`${origin}/token`, code, { ...noHeader, dpop })).body;
    assert.notEqual((await ask(proof))['error'], 'invalid_dpop_proof');
    const refused = await ask(signedBy(bad, proof, { jwk: bad.jwk }));
    assert.equal(refused['error'], 'invalid_dpop_proof');
    const told = bad.alg === 'HS256' ? 'it must be one JWT' : 'the key in its header is not used: it';
    assert.ok(String(refused['error_description']).startsWith(`the DPoP proof is not accepted: ${told}`));
  });

  test(`${what} signs no request of a client that was registered with it before [9101 §6.2] [A377]`, async () => {
    await registerKeyClient(database, { keys: [key] });
    await database.query("update clients set token_endpoint_auth_method = 'none' where client_id = 'bank'");
    const push = async (request: string) =>
      (await post(`${origin}/par`, { client_id: 'bank', request }, noHeader)).body;
    const right = await signRequest(key, origin, { client_id: 'bank' });
    assert.ok('request_uri' in (await push(right)));
    await store(bad.jwk);
    const again = await signRequest(key, origin, { client_id: 'bank', claims: { iat: now() } });
    assert.equal((await push(signedBy(bad, again)))['error'], 'invalid_request_object');
  });
}

test('what register_client refuses is not used either, and the other way round', async () => {
  for (const [what, { jwk, atUse, atRegistration }] of Object.entries(badKeys)) {
    const problem = publicKeyProblem(jwk as JWK) ?? '';
    assert.match(problem, atUse ?? (/exponent/.test(atRegistration.source) ? /exponent/ : atRegistration), what);
  }
  for (const alg of ['ES256', 'PS256', 'EdDSA'] as const) {
    const { jwk } = createClientKey('x', alg);
    for (const more of [{}, { alg }, { use: 'sig' }, { key_ops: ['verify'] }, { x5c: ['AAAA'] }]) {
      assert.equal(publicKeyProblem({ ...jwk, ...more } as JWK), undefined);
      await registerJwks([{ ...jwk, ...more }]);
    }
  }
});

test('a hundred keys of each kind are accepted: no sound key is refused', async () => {
  for (const alg of ['ES256', 'Ed25519'] as const) {
    for (let count = 0; count < 100; count += 1) {
      const { jwk } = createClientKey('x', alg);
      assert.equal(publicKeyProblem(jwk as unknown as JWK), undefined, JSON.stringify(jwk));
      const { rows } = await database.query('select check_public_key($1, null) as problem', [JSON.stringify(jwk)]);
      assert.equal(rows[0].problem, null, JSON.stringify(jwk));
    }
  }
});

test('a text that is no point of Ed25519 cannot be registered, and no signature is valid with it [8032 §5.1.3]', async () => {
  await assert.rejects(registerJwks([beside25519]), /no point of its curve/);
  await registerKeyClient(database, { keys: [key] });
  await store(beside25519);
  const signer = () => Buffer.from(`01${'00'.repeat(63)}`, 'hex');
  const assertion = forge(...changed(await sign(key, origin), { alg: 'Ed25519' }, {}), signer);
  const { status } = await post(`${origin}/par`, { ...request('bank'), ...withAssertion(assertion) }, noHeader);
  assert.equal(status, 401);
});

test('a key for RS256 can stand beside others, but not under the profile fapi2, and signs nothing of a client that is not registered for it [FAPI2 5.4.1-1]', async () => {
  const rsa = createClientKey('rsa', 'PS256');
  const keys = [key.jwk, { ...rsa.jwk, alg: 'RS256' }];
  await registerJwks(keys);
  await assert.rejects(registerJwks(keys, { profile: 'fapi2' }), /alg 'RS256': a key of the type RSA is for PS256/);
  const assertion = await sign(rsa, origin, { client_id: 'keyed' });
  const { status } = await post(`${origin}/par`, { ...request('keyed'), ...withAssertion(assertion) }, noHeader);
  assert.equal(status, 401);
});

test('a key of a certificate is looked at like any other [8705 §2.2.2] [A377]', { skip: noOpenssl }, async () => {
  await registerKeyClient(database, { keys: [key] });
  await database.query(
    "update clients set token_endpoint_auth_method = 'self_signed_tls_client_auth' where client_id = 'bank'",
  );
  for (const [modulusLength, publicExponent, expected] of [
    [2048, 65_537, 200],
    [1024, 65_537, 401],
    [2048, 3, 401],
  ] as const) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength, publicExponent });
    const { x509, cert } = issueCertificate('/CN=x', {
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    });
    await store(x509.publicKey.export({ format: 'jwk' }));
    const headers = { ...noHeader, 'x-client-cert': encodeURIComponent(cert) };
    const { status } = await post(`${origin}/introspect`, { client_id: 'bank', token: 'x' }, headers);
    assert.equal(status, expected, `${modulusLength} ${publicExponent}`);
  }
});
