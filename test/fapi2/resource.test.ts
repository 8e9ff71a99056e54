import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { createDpopKey, getWith, proofOf } from '../support/dpop.ts';
import { startFapi2 } from '../support/fapi2.ts';
import { authorizationQuery, encode, getUser } from '../support/flow.ts';
import { startLatchkey } from '../support/latchkey.ts';

// Tokens of a client of the profile fapi2 at /user, and its DPoP proofs wherever they are read.

const { latchkey, bank, browser } = await startFapi2();
const { origin } = latchkey;
const tokens = (await bank.exchange(await bank.code(browser))).body;
const { access_token, refresh_token } = tokens;
const url = `${origin}/user`;

const proof = (changes: Parameters<typeof proofOf>[2] = {}, token: unknown = access_token, by = bank.dpop) =>
  proofOf(by, { method: 'GET', url, access_token: token }, changes);

const bound = async (headers: Record<string, string> = {}) =>
  getWith(url, { authorization: `DPoP ${access_token}`, dpop: await proof(), ...headers });

/** With exactly these header lines; a GET of /user, unless another request is named. */
async function statusOf(lines: string[], { method = 'GET', path = '/user', form = '' } = {}): Promise<number> {
  const sent = request(origin + path, { method, headers: ['host', new URL(origin).host, ...lines] }).end(form);
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}

test('the resource answers any usual Accept with 200, JSON and a Date [FAPI2 5.3.4]', async () => {
  for (const accept of ['application/json', 'application/json;charset=UTF-8', '*/*', 'text/html', '']) {
    const { status, headers, body } = await bound(accept === '' ? {} : { accept });
    assert.deepEqual([status, body['username']], [200, 'alice'], accept);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.ok(Math.abs(Date.parse(headers.get('date') ?? '') - Date.now()) < 60_000);
  }
});

test('x-fapi-interaction-id comes back unchanged, with errors, too; without one there is none in the answer [FAPI2 5.3.4]', async () => {
  for (const id of ['c770aef3-6784-41f7-8e0e-ff5f97bddb3a', 'C770AEF3-6784-41F7-8E0E-FF5F97BDDB3A']) {
    const sent = { 'x-fapi-interaction-id': id };
    assert.equal((await bound(sent)).headers.get('x-fapi-interaction-id'), id);
    const refused = await getWith(url, sent);
    assert.deepEqual([refused.status, refused.headers.get('x-fapi-interaction-id')], [401, id]);
  }
  assert.equal((await bound()).headers.get('x-fapi-interaction-id'), null);
  const { status, headers } = await bound({ 'x-fapi-interaction-id': '<script>' });
  assert.deepEqual([status, headers.get('x-fapi-interaction-id')], [200, null]);
});

test('the names of the scheme and of the headers may be written in any case [9110 §5.1, §11.1]', async () => {
  for (const scheme of ['DPoP', 'dpop', 'DPOP', 'dPoP']) {
    assert.equal((await bound({ authorization: `${scheme} ${access_token}` })).status, 200, scheme);
  }
  for (const [authorization, dpop] of [
    ['authorization', 'dpop'],
    ['AUTHORIZATION', 'DPOP'],
    ['aUTHorization', 'dPoP'],
  ] as const) {
    assert.equal(await statusOf([authorization, `DPoP ${access_token}`, dpop, await proof()]), 200);
  }
});

test('a token is taken from the Authorization header only: in the query or a form it is refused [FAPI2 5.3.4-2]', async () => {
  const fresh = (await bank.refresh(refresh_token)).body['access_token'];
  const body = new URLSearchParams({ access_token: String(fresh) });
  for (const headers of [{}, { dpop: await proof({}, fresh) }]) {
    assert.equal((await getWith(`${url}?access_token=${fresh}`, headers)).status, 401);
    assert.equal((await fetch(url, { method: 'POST', body, headers })).status, 401);
  }
  assert.equal((await bank.user(fresh)).status, 200);
});

test('a bound token is refused as a bearer token [9449 §7.2]', async () => {
  const { status, body } = await getUser(origin, access_token);
  assert.deepEqual([status, body['error']], [401, 'invalid_token']);
  assert.equal((await bound()).status, 200);
});

for (const [what, wrong] of [
  ['without ath', () => proof({ claims: { ath: undefined } })],
  ['with the ath of another token', async () => proof({}, (await bank.refresh(refresh_token)).body['access_token'])],
  ['for another address', () => proof({ claims: { htu: `${origin}/token` } })],
  ['for another method', () => proof({ claims: { htm: 'POST' } })],
  ['of an hour ago', () => proof({ claims: { iat: Math.floor(Date.now() / 1000) - 3600 } })],
  ['of an hour ahead', () => proof({ claims: { iat: Math.floor(Date.now() / 1000) + 3600 } })],
  ['without jti', () => proof({ claims: { jti: undefined } })],
] as const) {
  test(`a proof ${what} gets 401 invalid_dpop_proof, and the challenge names the algorithms [9449 §4.3, §7.1]`, async () => {
    const { status, headers, body } = await bound({ dpop: await wrong() });
    assert.deepEqual([status, body['error']], [401, 'invalid_dpop_proof']);
    const challenge = headers.get('www-authenticate') ?? '';
    assert.match(challenge, /DPoP error="invalid_dpop_proof", .*algs="ES256 PS256 EdDSA Ed25519"/);
    assert.equal((await bound()).status, 200);
  });
}

test('the proof of another key gets 401 invalid_token in a DPoP challenge [9449 §7.1]', async () => {
  const { status, headers, body } = await bound({ dpop: await proof({}, access_token, await createDpopKey()) });
  assert.deepEqual([status, body['error']], [401, 'invalid_token']);
  assert.match(headers.get('www-authenticate') ?? '', /DPoP error="invalid_token", .*algs="ES256 PS256 EdDSA Ed25519"/);
  assert.equal((await bound()).status, 200);
});

test('a proof counts once [9449 §11.1]', async () => {
  const dpop = await proof();
  assert.equal((await bound({ dpop })).status, 200);
  assert.equal((await bound({ dpop })).status, 401);
});

test('two DPoP headers are refused at /par, /token and /user, and in one line, too [9449 §4.3]', async () => {
  const type = ['content-type', 'application/x-www-form-urlencoded'];
  const forms = {
    '/par': authorizationQuery({ client_id: undefined }),
    '/token': encode({ grant_type: 'refresh_token', refresh_token: String(refresh_token) }),
  };
  for (const path of ['/par', '/token'] as const) {
    const form = `${forms[path]}&${encode(await bank.authentication())}`;
    const post = (...lines: string[]) => statusOf([...type, ...lines], { method: 'POST', path, form });
    const [first, second] = [await bank.proof(path), await bank.proof(path)];
    assert.equal(await post('dpop', first, 'dpop', second), 400, path);
    assert.equal(await post('dpop', `${first}, ${second}`), 400, path);
    assert.equal(await post('dpop', first), path === '/par' ? 201 : 200, path);
  }
  const authorization = ['authorization', `DPoP ${access_token}`];
  const [first, second] = [await proof(), await proof()];
  assert.equal(await statusOf([...authorization, 'dpop', first, 'dpop', second]), 401);
  assert.equal(await statusOf([...authorization, 'dpop', `${first}, ${second}`]), 401);
  assert.equal(await statusOf([...authorization, 'dpop', first]), 200);
});

test('htu may have a query, a fragment, capital letters in scheme and host, and the default port [9449 §4.3]', async () => {
  const behind = await startLatchkey({ ISSUER: 'https://id.example', TRUST_PROXY: '1' }, latchkey.url);
  for (const htu of [
    'https://id.example/user',
    'https://id.example/user?a=1',
    'https://id.example/user#f',
    'HTTPS://ID.Example/user',
    'https://id.example:443/user',
  ]) {
    const headers = { authorization: `DPoP ${access_token}`, dpop: await proof({ claims: { htu } }) };
    assert.equal((await getWith(`${behind.origin}/user`, headers)).status, 200, htu);
  }
  for (const htu of [url, 'https://id.example/USER', 'https://id.example:444/user', 'http://id.example/user']) {
    const headers = { authorization: `DPoP ${access_token}`, dpop: await proof({ claims: { htu } }) };
    assert.equal((await getWith(`${behind.origin}/user`, headers)).status, 401, htu);
  }
});

test('the thumbprint of a key is made of its required members only [7638 §3]', async () => {
  const jwk = { ...bank.dpop.jwk, use: 'sig', alg: 'ES256', kid: 'k', x5t: 'x', other: [1] };
  assert.equal((await bound({ dpop: await proof({ header: { jwk } }) })).status, 200);
});

test('a revoked token is refused at once [FAPI2 5.3.4-3]', async () => {
  const fresh = (await bank.refresh(refresh_token)).body['access_token'];
  assert.equal((await bank.user(fresh)).status, 200);
  assert.equal((await bank.post('/revoke', { token: String(fresh) })).status, 200);
  const { status, body } = await bank.user(fresh);
  assert.deepEqual([status, body['error']], [401, 'invalid_token']);
});

test('no nonce is demanded unless the operator wants it [9449 §8]', async () => {
  assert.equal((await bound()).headers.get('dpop-nonce'), null);
});
