import assert from 'node:assert/strict';
import { test } from 'node:test';
import { familyKeyOf, madeUpRefreshToken } from '../../support/attack.ts';
import { basic, getUser, obtainCode, redeem, refresh, signedInBrowser, type TokenAnswer } from '../../support/flow.ts';
import { printer, registerPrinter, startWithPrinter } from '../../support/latchkey.ts';

const { origin, database } = await startWithPrinter();
await registerPrinter(database, { client_id: 'other' });
let browser = await signedInBrowser(origin);

async function freshTokens(): Promise<TokenAnswer['body']> {
  return (await redeem(origin, await obtainCode(browser, { scope: 'user repo:read' }))).body;
}

async function assertRefused(token: unknown, error = 'invalid_grant', changes = {}, headers = {}): Promise<void> {
  const answer = await refresh(origin, token, changes, headers);
  assert.deepEqual([answer.status, answer.body['error']], [error === 'invalid_client' ? 401 : 400, error]);
}

/** Moves what Postgres compares, never the clock. */
async function move(token: unknown, set: string): Promise<void> {
  const { rowCount } = await database.query(`update authorization_codes set ${set} where code_sha256 = $1`, [
    familyKeyOf(token),
  ]);
  assert.equal(rowCount, 1);
}

const refusals: [
  title: string,
  error: string,
  changes: Record<string, string | string[] | undefined>,
  headers?: Record<string, string>,
][] = [
  ['without the token [A220]', 'invalid_request', { refresh_token: undefined }],
  ['with two tokens [A220]', 'invalid_request', { refresh_token: ['a', 'b'] }],
  ['with a token that was never issued [A220]', 'invalid_grant', { refresh_token: madeUpRefreshToken() }],
  ['by another client [A221]', 'invalid_grant', {}, { authorization: basic('other') }],
  ['with a wrong secret', 'invalid_client', {}, { authorization: basic(printer.client_id, 'wrong') }],
  ['without client authentication [A187]', 'invalid_client', { client_id: printer.client_id }, { authorization: '' }],
  ['with a scope that was not granted [6749 §6]', 'invalid_scope', { scope: 'user user:write' }],
  ['with an unknown scope', 'invalid_scope', { scope: 'admin' }],
  ['with a malformed scope', 'invalid_scope', { scope: '"' }],
];

for (const [title, error, changes, headers] of refusals) {
  test(`a refresh ${title} gets ${error}`, async () => {
    const { refresh_token } = await freshTokens();
    await assertRefused(refresh_token, error, changes, headers);
    assert.equal((await refresh(origin, refresh_token)).status, 200);
  });
}

test('an access token is not accepted as a refresh token, nor a refresh token as an access token [6749 §1.5] [A236]', async () => {
  const { access_token, refresh_token } = await freshTokens();
  await assertRefused(access_token);
  assert.equal((await getUser(origin, refresh_token)).status, 401);
});

test('an expired refresh token is refused', async () => {
  const { refresh_token } = await freshTokens();
  await move(refresh_token, 'refresh_expires_at = now()');
  await assertRefused(refresh_token);
});

test('within the grace period the old refresh token gets the same successor again, byte for byte [A227]', async () => {
  const { refresh_token } = await freshTokens();
  const first = await refresh(origin, refresh_token);
  const second = await refresh(origin, refresh_token);
  assert.equal(second.status, 200);
  assert.deepEqual(second.body, first.body);
  assert.equal((await getUser(origin, first.body['access_token'])).status, 200);
});

test('a refresh for which no granted scope is left is refused, and does not spend the token', async () => {
  const { refresh_token } = await freshTokens();
  await database.query("update grants set scopes = '{user:write}'");
  await assertRefused(refresh_token);
  await database.query("update grants set scopes = '{user:name,user:email,repo:read}'");
  assert.equal((await refresh(origin, refresh_token)).status, 200);
});

test('expires_in never exceeds the end of the grant', async () => {
  const code = await obtainCode(browser, { scope: 'user repo:read' });
  await database.query("update grants set expires_at = now() + interval '10 minutes'");
  const { body } = await redeem(origin, code);
  assert.ok(Number(body['expires_in']) <= 600, String(body['expires_in']));
  const renewed = await refresh(origin, body['refresh_token']);
  assert.ok(Number(renewed.body['expires_in']) <= 600, String(renewed.body['expires_in']));
  await database.query('update grants set expires_at = null');
});

for (const [what, end, back] of [
  ['the family was revoked', 'authorization_codes set revoked_at = now()', undefined],
  ['the person was disabled', 'users set disabled_at = now()', 'users set disabled_at = null'],
  ['the grant expired', 'grants set expires_at = now()', 'grants set expires_at = null'],
  ['the grant was revoked', 'grants set revoked_at = now()', undefined],
] as const) {
  test(`a rotated refresh token gets no repeated answer once ${what}`, async () => {
    const { refresh_token } = await freshTokens();
    await refresh(origin, refresh_token);
    await database.query(`update ${end}`);
    await assertRefused(refresh_token);
    if (!back) return;
    await database.query(`update ${back}`);
    // to disable somebody ends their sessions
    browser = await signedInBrowser(origin);
  });
}

test('a successor that was derived by another version is not repeated, and stays valid', async () => {
  const { refresh_token } = await freshTokens();
  const { body } = await refresh(origin, refresh_token);
  await move(refresh_token, "successor_salt = 'sixteen bytes...'");
  await assertRefused(refresh_token);
  assert.equal((await refresh(origin, body['refresh_token'])).status, 200);
});

test('after the grace period the old refresh token revokes the whole family', async () => {
  const { refresh_token, access_token } = await freshTokens();
  const { body } = await refresh(origin, refresh_token);
  await move(refresh_token, "refresh_issued_at = refresh_issued_at - interval '61 seconds'");
  await assertRefused(refresh_token);
  await assertRefused(body['refresh_token']);
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
  assert.equal((await getUser(origin, access_token)).status, 401);
});

test('once the successor was used, the old refresh token revokes the whole family, even within the grace period', async () => {
  const { refresh_token } = await freshTokens();
  const { body: second } = await refresh(origin, refresh_token);
  const { body: third } = await refresh(origin, second['refresh_token']);
  await assertRefused(refresh_token);
  await assertRefused(third['refresh_token']);
  assert.equal((await getUser(origin, third['access_token'])).status, 401);
});

test('reuse is detected even when the rotated token has long expired', async () => {
  const { refresh_token } = await freshTokens();
  const { body } = await refresh(origin, refresh_token);
  await move(
    refresh_token,
    "refresh_issued_at = now() - interval '40 days', refresh_expires_at = now() - interval '10 days'",
  );
  await assertRefused(refresh_token);
  await assertRefused(body['refresh_token']);
});

test('a rotated token presented by another client, or with a wrong secret, revokes nothing', async () => {
  const { refresh_token } = await freshTokens();
  const { body } = await refresh(origin, refresh_token);
  await move(refresh_token, "refresh_issued_at = refresh_issued_at - interval '61 seconds'");
  await assertRefused(refresh_token, 'invalid_grant', {}, { authorization: basic('other') });
  await assertRefused(refresh_token, 'invalid_client', {}, { authorization: basic(printer.client_id, 'wrong') });
  assert.equal((await refresh(origin, body['refresh_token'])).status, 200);
});

test('a reader of the database cannot compute a successor: only a salt and digests are stored [A311]', async () => {
  const { refresh_token } = await freshTokens();
  const { body } = await refresh(origin, refresh_token);
  const { rows } = await database.query(
    'select t::text from authorization_codes t union all select t::text from access_tokens t',
  );
  const dump = JSON.stringify(rows);
  for (const secret of [refresh_token, body['refresh_token'], body['access_token']]) {
    assert.ok(!dump.includes(String(secret)) && !dump.includes(Buffer.from(String(secret)).toString('hex')));
  }
});

test('a family ends after twelve refresh token lifetimes, however often it is refreshed [A230]', async () => {
  const { refresh_token } = await freshTokens();
  await database.query("update authorization_codes set family_ends_at = family_ends_at - interval '355 days'");
  const { body } = await refresh(origin, refresh_token);
  const { rows } = await database.query(
    'select extract(days from refresh_expires_at - now()) as days from authorization_codes where code_sha256 = $1',
    [familyKeyOf(body['refresh_token'])],
  );
  assert.equal(Number(rows[0].days), 4);
});

test('a scope that the user withdraws is missing from /user at once, and from the next refresh', async () => {
  const { access_token, refresh_token } = await freshTokens();
  await database.query("update grants set scopes = array_remove(scopes, 'user:email') where revoked_at is null");
  assert.deepEqual(Object.keys((await getUser(origin, access_token)).body), ['id', 'sub', 'username', 'name']);
  assert.equal((await refresh(origin, refresh_token)).body['scope'], 'user:name repo:read');
});
