import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf } from '../../src/lib/secrets.ts';
import { createDpopKey, getBound, getWith, proofFor, proofOf, redeemWith, refreshWith } from '../support/dpop.ts';
import { getUser, obtainCode, post, redeem, signedInBrowser, verifier } from '../support/flow.ts';
import { startWithPrinter } from '../support/latchkey.ts';

const { origin, database } = await startWithPrinter();
const browser = await signedInBrowser(origin);
const key = await createDpopKey();
const { body: tokens } = await redeemWith(key, origin, await obtainCode(browser));
const { access_token } = tokens;

test('a token that was requested with a proof is bound to its key, as introspection says, and opens /user with another proof [9449 §5, §6, §7]', async () => {
  assert.equal(tokens['token_type'], 'DPoP');
  assert.equal((await getBound(key, origin, access_token)).body['username'], 'alice');
  const { body } = await post(`${origin}/introspect`, { token: String(access_token) });
  assert.deepEqual([body['token_type'], body['cnf']], ['DPoP', { jkt: key.thumbprint }]);
});

test('the GitHub-compatible addresses issue and accept bound tokens, too', async () => {
  const url = `${origin}/login/oauth/access_token`;
  const code = await obtainCode(browser, {}, {}, '/login/oauth/authorize');
  const headers = { dpop: await proofFor(key, url), accept: 'application/json' };
  const { body } = await post(url, { code, code_verifier: verifier }, headers);
  assert.equal(body['token_type'], 'DPoP');
  const answer = await getBound(key, origin, body['access_token'], { path: '/api/v3/user' });
  assert.equal(answer.body['login'], 'alice');
});

for (const alg of ['PS256', 'EdDSA', 'Ed25519']) {
  test(`proofs may be signed by ${alg}`, async () => {
    const other = await createDpopKey(alg);
    const dpop = await proofFor(other, `${origin}/token`, { header: { alg } });
    const { body } = await redeem(origin, await obtainCode(browser), {}, { dpop });
    assert.equal(body['token_type'], 'DPoP');
  });
}

test('a client that shows no key gets a bearer token, and no proof is stored', async () => {
  const before = await database.query('select count(*) from used_proofs');
  const { body } = await redeem(origin, await obtainCode(browser));
  assert.equal(body['token_type'], 'Bearer');
  assert.equal((await getUser(origin, body['access_token'])).status, 200);
  const after = await database.query('select count(*) from used_proofs');
  assert.deepEqual(after.rows, before.rows);
});

for (const [what, changes] of [
  ['a query and a fragment in htu', { claims: { htu: `${origin}/user?a=1#b` } }],
  ['the scheme and the host in upper case', { claims: { htu: `${origin.replace('http', 'HTTP')}/user` } }],
  ['further claims', { claims: { nbf: Math.floor(Date.now() / 1000), exp: 4_000_000_000, other: { a: 1 } } }],
  ['further members of the key', { header: { jwk: { ...key.jwk, use: 'sig', alg: 'ES256', kid: 'k', other: 1 } } }],
  ['a clock that is ten seconds ahead', { claims: { iat: Math.floor(Date.now() / 1000) + 10 } }],
  ['a clock that is ten seconds behind', { claims: { iat: Math.floor(Date.now() / 1000) - 10 } }],
  ['a nonce that nobody demanded', { claims: { nonce: 'of-another-server' } }],
] as const) {
  test(`accepts a proof with ${what} [A248]`, async () => {
    assert.equal((await getBound(key, origin, access_token, changes)).status, 200);
  });
}

test('accepts the query of the real address, which htu leaves out, and any case of the scheme [A248]', async () => {
  const dpop = await proofOf(key, { method: 'GET', url: `${origin}/user`, access_token });
  const { status } = await getWith(`${origin}/user?x=1`, { authorization: `dPoP ${access_token}`, dpop });
  assert.equal(status, 200);
});

test('the client of a confidential refresh token may show a new key, and the new token is bound to that one', async () => {
  const next = await createDpopKey();
  const { body } = await refreshWith(next, origin, tokens['refresh_token']);
  assert.equal((await getBound(next, origin, body['access_token'])).status, 200);
  assert.equal((await getBound(key, origin, body['access_token'])).status, 401);
});

test('a JWT is bound to the key, too, and says so [9449 §6.1]', async () => {
  const resource = 'https://api.example/';
  const register = `select register_resource(resource => $1, scopes => array['repo'], token_format => 'jwt')`;
  await database.query(register, [resource]);
  const { body } = await redeemWith(key, origin, await obtainCode(browser, { scope: 'repo', resource }));
  const payload = String(body['access_token']).split('.')[1] ?? '';
  assert.deepEqual(JSON.parse(Buffer.from(payload, 'base64url').toString()).cnf, { jkt: key.thumbprint });
});

test('the answer to a request without a token offers both ways, each with the metadata of the resource [A266]', async () => {
  const { headers } = await getWith(`${origin}/user`, {});
  const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource"`;
  const expected = `Bearer ${metadata}, DPoP algs="ES256 PS256 EdDSA Ed25519", ${metadata}`;
  assert.equal(headers.get('www-authenticate'), expected);
});

test('the metadata names the algorithms of proofs', async () => {
  const algorithms = ['ES256', 'PS256', 'EdDSA', 'Ed25519'];
  const server = await getWith(`${origin}/.well-known/oauth-authorization-server`, {});
  assert.deepEqual(server.body['dpop_signing_alg_values_supported'], algorithms);
  const resource = await getWith(`${origin}/.well-known/oauth-protected-resource`, {});
  assert.deepEqual(resource.body['dpop_signing_alg_values_supported'], algorithms);
  assert.equal(resource.body['dpop_bound_access_tokens_required'], false);
});

test('the stored proof is a digest', async () => {
  const { rows } = await database.query('select proof_sha256 from used_proofs');
  assert.ok(rows.every(({ proof_sha256 }) => proof_sha256.length === digestOf('').length));
});
