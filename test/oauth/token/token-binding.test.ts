import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTokens } from '../../support/attack.ts';
import { getUser, obtainCode, post, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { printer, startWithPrinter } from '../../support/latchkey.ts';

const { origin, database } = await startWithPrinter();
const browser = await signedInBrowser(origin);

test('a token that is bound to a key is refused as a bearer token, wherever it is presented', async () => {
  const { access_token } = await freshTokens(origin, browser, {});
  assert.equal((await getUser(origin, access_token)).status, 200);
  for (const binding of ['dpop 0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I', 'certificate abc', 'mac']) {
    await database.query('update access_tokens set binding = $1', [binding]);
    assert.equal((await getUser(origin, access_token)).status, 401);
    assert.equal((await getUser(origin, access_token, '/api/v3/user')).status, 401);
    assert.equal((await fetch(`${origin}/user?access_token=${access_token}`)).status, 401);
  }
});

for (const [binding, expected] of [
  ['dpop abc', { token_type: 'DPoP', cnf: { jkt: 'abc' } }],
  ['certificate abc', { token_type: 'Bearer', cnf: { 'x5t#S256': 'abc' } }],
  ['mac', { token_type: 'mac', cnf: undefined }],
] as const) {
  test(`introspection tells a resource server that a token is bound: ${binding}`, async () => {
    const { access_token } = await freshTokens(origin, browser, {});
    await database.query('update access_tokens set binding = $1', [binding]);
    const { body } = await post(`${origin}/introspect`, { token: access_token });
    assert.deepEqual({ token_type: body['token_type'], cnf: body['cnf'] }, expected);
  });
}

for (const binding of ['dpop', 'certificate']) {
  test(`a client whose tokens are bound by ${binding} gets none without a proof, and the code is not spent`, async () => {
    const code = await obtainCode(browser);
    await database.query('update clients set token_binding = $1', [binding]);
    const refused = await redeem(origin, code);
    assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_request']);
    await database.query("update clients set token_binding = 'any'");
    const { status, body } = await redeem(origin, code);
    assert.equal(status, 200);
    await database.query('update clients set token_binding = $1', [binding]);
    const kept = await refresh(origin, body['refresh_token']);
    assert.deepEqual([kept.status, kept.body['error']], [400, 'invalid_request']);
    await database.query("update clients set token_binding = 'any'");
    assert.equal((await refresh(origin, body['refresh_token'])).status, 200);
  });
}

test('a code that is bound to a key is of no use without it, and is not spent', async () => {
  const code = await obtainCode(browser);
  await database.query("update authorization_codes set binding = 'dpop abc' where redeemed_at is null");
  const refused = await redeem(origin, code);
  assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_grant']);
  await database.query('update authorization_codes set binding = null');
  assert.equal((await redeem(origin, code)).status, 200);
});

test('a refresh token that is bound to a key is of no use without it', async () => {
  const { refresh_token } = await freshTokens(origin, browser, {});
  await database.query("update authorization_codes set refresh_binding = 'dpop abc'");
  const refused = await refresh(origin, refresh_token);
  assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_grant']);
  await database.query('update authorization_codes set refresh_binding = null');
  assert.equal((await refresh(origin, refresh_token)).status, 200);
});

test('a client that is registered for a key is not taken for a public client', async () => {
  const code = await obtainCode(browser);
  const { client_id } = printer;
  const { rows } = await database.query('select secrets_sha256, secrets_since from clients');
  await database.query(
    "update clients set secrets_sha256 = '{}', secrets_since = '{}', token_endpoint_auth_method = 'private_key_jwt'",
  );
  const refused = await redeem(origin, code, { client_id }, { authorization: '' });
  assert.deepEqual([refused.status, refused.body['error']], [401, 'invalid_client']);
  await database.query(
    'update clients set secrets_sha256 = $1, secrets_since = $2, token_endpoint_auth_method = null',
    [rows[0].secrets_sha256, rows[0].secrets_since],
  );
  assert.equal((await redeem(origin, code)).status, 200);
});
