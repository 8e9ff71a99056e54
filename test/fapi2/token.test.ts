import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredential } from '../../src/lib/secrets.ts';
import { createDpopKey } from '../support/dpop.ts';
import { startFapi2 } from '../support/fapi2.ts';
import { codeIn } from '../support/flow.ts';

// The profile fapi2 at /token. Without a grace period, a refresh token that was replaced would be refused at once.

const { latchkey, bank, other, browser } = await startFapi2({ REFRESH_GRACE: '0' });
const { database } = latchkey;
const stranger = await createDpopKey();

const tokens = async () => (await bank.exchange(await bank.code(browser))).body;

test('a code is exchanged for a bound token and a refresh token, and for no id_token [FAPI2 5.3.2.1-4] [9449 §5]', async () => {
  const { status, headers, body } = await bank.exchange(await bank.code(browser, { scope: 'user openid' }));
  assert.equal(status, 200);
  const members = ['access_token', 'expires_in', 'refresh_token', 'refresh_token_expires_in', 'scope', 'token_type'];
  assert.deepEqual(Object.keys(body).sort(), members);
  assert.deepEqual([body['token_type'], typeof body['expires_in'], body['scope']], ['DPoP', 'number', 'user']);
  assert.deepEqual([headers.get('cache-control'), headers.get('pragma')], ['no-store', 'no-cache']);
  assert.equal((await bank.user(body['access_token'])).body['username'], 'alice');
});

test('refreshes with a refresh token that stays keep the sign-in of the authorization [9470 §6]', async () => {
  const { body } = await bank.exchange(await bank.code(browser));
  const signInOf = async ({ access_token }: typeof body) => {
    const { acr, auth_time } = (await bank.post('/introspect', { token: String(access_token) })).body;
    return { acr, auth_time };
  };
  const first = await signInOf(body);
  assert.equal(first.acr, '1');
  await database.query("update sessions set methods = '{passkey}', auth_time = now() + interval '1 minute'");
  for (const _ of [1, 2, 3]) {
    assert.deepEqual(await signInOf((await bank.refresh(body['refresh_token'])).body), first);
  }
  await database.query('update sessions set auth_time = now()');
});

for (const [what, changes] of [
  ['without code_verifier', { code_verifier: undefined }],
  ['for another redirect_uri', { redirect_uri: 'https://printer.example/other' }],
  ['with an unknown code', { code: createCredential('authorization_code') }],
  ['with a code that is no code', { code: 'x' }],
] as const) {
  test(`a code exchange ${what} gets 400 invalid_grant [FAPI2 5.3.2.1-11, 5.3.2.2-9]`, async () => {
    const code = await bank.code(browser);
    const { status, headers, body } = await bank.exchange(code, { changes });
    assert.deepEqual([status, body['error']], [400, 'invalid_grant']);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal((await bank.exchange(code)).status, 200);
  });
}

test('a wrong code_verifier gets 400 invalid_grant [7636 §4.6] [FAPI2 5.3.2.2-5]', async () => {
  const changes = { code_verifier: 'another-code-verifier-of-more-than-43-characters-0123456789' };
  const { status, body } = await bank.exchange(await bank.code(browser), { changes });
  assert.deepEqual([status, body['error']], [400, 'invalid_grant']);
  assert.equal((await bank.exchange(await bank.code(browser))).status, 200);
});

test('a code of another client gets 400 invalid_grant, and its client can still use it [6749 §4.1.3]', async () => {
  const code = await bank.code(browser);
  const { status, body } = await other.exchange(code);
  assert.deepEqual([status, body['error']], [400, 'invalid_grant']);
  assert.equal((await bank.exchange(code)).status, 200);
});

test('a code lives for a minute, and gets 400 invalid_grant then [FAPI2 5.3.2.1-11]', async () => {
  const code = await bank.code(browser);
  const { rows } = await database.query(
    `update authorization_codes set expires_at = now() where redeemed_at is null and revoked_at is null
     returning extract(epoch from expires_at - issued_at)::float as age,
       (select extract(epoch from old.expires_at - old.issued_at)::integer from authorization_codes old
        where old.code_id = authorization_codes.code_id) as lifetime`,
  );
  assert.deepEqual(new Set(rows.map(({ lifetime }) => lifetime)), new Set([60]));
  const { status, body } = await bank.exchange(code);
  assert.deepEqual([status, body['error']], [400, 'invalid_grant']);
});

test('a code that is used again gets 400 invalid_grant, and ends the tokens that it gave [6749 §4.1.2] [FAPI2 5.3.2.1-11]', async () => {
  const code = await bank.code(browser);
  const { access_token, refresh_token } = (await bank.exchange(code)).body;
  assert.equal((await bank.user(access_token)).status, 200);
  const { status, body } = await bank.exchange(code);
  assert.deepEqual([status, body['error']], [400, 'invalid_grant']);
  assert.equal((await bank.user(access_token)).status, 401);
  assert.equal((await bank.refresh(refresh_token)).status, 400);
});

test('a code exchange and a refresh without a DPoP proof get 400, and neither 401 nor use_dpop_nonce [FAPI2 5.3.2.1-4, 5.3.2.1-5]', async () => {
  const code = await bank.code(browser);
  const missing = await bank.exchange(code, { dpop: '' });
  assert.deepEqual([missing.status, missing.body['error']], [400, 'invalid_request']);
  const { body, headers } = await bank.exchange(code);
  assert.equal(headers.get('dpop-nonce'), null);
  const refused = await bank.refresh(body['refresh_token'], { dpop: '' });
  assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_request']);
  assert.equal((await bank.refresh(body['refresh_token'])).status, 200);
});

test('a wrong DPoP proof gets 400 invalid_dpop_proof, for a code and for a refresh token [9449 §5]', async () => {
  const code = await bank.code(browser);
  const wrong = async () => ({ dpop: await bank.proof('/token', { claims: { htm: 'GET' } }) });
  const exchanged = await bank.exchange(code, await wrong());
  assert.deepEqual([exchanged.status, exchanged.body['error']], [400, 'invalid_dpop_proof']);
  const { body } = await bank.exchange(code);
  const refreshed = await bank.refresh(body['refresh_token'], await wrong());
  assert.deepEqual([refreshed.status, refreshed.body['error']], [400, 'invalid_dpop_proof']);
  assert.equal((await bank.refresh(body['refresh_token'])).status, 200);
});

test('the client is checked first, then the proof, then the code [FAPI2 5.3.2.1-6]', async () => {
  const code = await bank.code(browser);
  const changes = { code: 'x' };
  const dpop = await bank.proof('/token', { claims: { htm: 'GET' } });
  const assertion = { claims: { aud: 'https://other.example' } };
  assert.equal((await bank.exchange(code, { assertion, dpop, changes })).body['error'], 'invalid_client');
  assert.equal((await bank.exchange(code, { dpop, changes })).body['error'], 'invalid_dpop_proof');
  assert.equal((await bank.exchange(code, { changes })).body['error'], 'invalid_grant');
  assert.equal((await bank.exchange(code)).status, 200);
});

test('a refresh works with any key, and the new token is bound to the one just shown [FAPI2 5.3.2.1-9] [9449 §5]', async () => {
  const { refresh_token, access_token } = await tokens();
  const { status, headers, body } = await bank.refresh(refresh_token, {
    dpop: await bank.proof('/token', {}, stranger),
  });
  assert.deepEqual([status, body['token_type'], headers.get('cache-control')], [200, 'DPoP', 'no-store']);
  assert.equal((await bank.user(body['access_token'], stranger)).status, 200);
  assert.equal((await bank.user(body['access_token'])).status, 401);
  assert.equal((await bank.user(access_token)).status, 200);
});

test('a refresh does not replace the refresh token, which works again at any time [FAPI2 5.3.2.1-9]', async () => {
  const { refresh_token } = await tokens();
  for (let count = 0; count < 3; count += 1) {
    const { status, body } = await bank.refresh(refresh_token);
    assert.deepEqual([status, 'refresh_token' in body], [200, false]);
    // as if half a minute had passed
    await database.query(`update access_tokens set issued_at = issued_at - interval '30 s'`);
  }
});

test('a refresh may ask for the same scope or for less, and not for more [6749 §6]', async () => {
  const { refresh_token } = (await bank.exchange(await bank.code(browser, { scope: 'user repo:read' }))).body;
  for (const scope of ['user repo:read', 'user', 'repo:read']) {
    const { status, body } = await bank.refresh(refresh_token, { changes: { scope } });
    assert.deepEqual([status, body['scope']], [200, scope]);
  }
  const { status, body } = await bank.refresh(refresh_token, { changes: { scope: 'repo' } });
  assert.deepEqual([status, body['error']], [400, 'invalid_scope']);
});

test('the refresh token of another client gets 400 invalid_grant [6749 §6]', async () => {
  const { refresh_token } = await tokens();
  const { status, headers, body } = await other.refresh(refresh_token);
  assert.deepEqual([status, body['error'], headers.get('cache-control')], [400, 'invalid_grant', 'no-store']);
  assert.equal((await bank.refresh(refresh_token)).status, 200);
});

test('a refresh without authentication is refused [6749 §6]', async () => {
  const { refresh_token } = await tokens();
  const nobody = { client_assertion: undefined, client_assertion_type: undefined, client_id: 'bank' };
  const { status, body } = await bank.refresh(refresh_token, { changes: nobody });
  assert.deepEqual([status, body['error']], [401, 'invalid_client']);
  assert.equal((await bank.refresh(refresh_token)).status, 200);
});

for (const grant_type of [
  'password',
  'client_credentials',
  'implicit',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
]) {
  test(`the grant type ${grant_type} gets 400 unsupported_grant_type [FAPI2 5.3.2.1-2]`, async () => {
    const changes = { grant_type, username: 'alice', password: 'wonderland', assertion: 'x' };
    const { status, body } = await bank.exchange('x', { changes });
    assert.deepEqual([status, body['error']], [400, 'unsupported_grant_type']);
  });
}

test('errors are JSON with an error and a description of printable ASCII without quotation marks and backslashes, whatever was sent [6749 §5.2]', async () => {
  const junk = 'ä"\\\r\n\u2028<b>';
  for (const changes of [
    { code: junk },
    { grant_type: junk },
    { redirect_uri: junk },
    { code_verifier: junk },
    { resource: junk },
    { client_id: junk },
    { client_assertion: junk },
    { client_assertion_type: junk },
  ]) {
    const { status, headers, body } = await bank.exchange('x', { changes });
    const name = Object.keys(changes)[0];
    assert.ok(status === 400 || status === 401, `${name} ${status}`);
    assert.deepEqual(
      [headers.get('content-type'), headers.get('cache-control')],
      ['application/json;charset=UTF-8', 'no-store'],
      name,
    );
    assert.match(String(body['error']), /^[a-z_]+$/);
    assert.match(String(body['error_description']), /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
  }
});

test('unknown parameters of a token request are ignored [6749 §3.2]', async () => {
  const { status } = await bank.exchange(await bank.code(browser), { changes: { foo: 'bar', nonce: 'x' } });
  assert.equal(status, 200);
});

test('a refresh that names more than was granted is refused, also what was asked for', async () => {
  const page = await browser.open(`/authorize?${await bank.pushed({ scope: 'user' })}`);
  const code = codeIn(await browser.submit(page, 'id="allow"', { scope: ['user:name'] }));
  const { body } = await bank.exchange(code);
  const wider = await bank.refresh(body['refresh_token'], { changes: { scope: 'user' } });
  assert.deepEqual([wider.status, wider.body['error']], [400, 'invalid_scope']);
  assert.equal((await bank.refresh(body['refresh_token'], { changes: { scope: 'user:name' } })).status, 200);
});
