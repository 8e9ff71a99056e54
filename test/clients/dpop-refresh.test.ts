import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDpopKey, getBound, redeemWith, refreshWith } from '../support/dpop.ts';
import { getUser, obtainCode, post, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { printer, registerPrinter, startLatchkey, startWithPrinter } from '../support/latchkey.ts';

// What a refresh token is bound to, and what a repeated refresh gives to whom.

const { origin, database, url } = await startWithPrinter();
const { client_id } = { client_id: 'public' };
await registerPrinter(database, { client_id, client_secret: null });
const second = await startLatchkey({ ISSUER: origin }, url);
const browser = await signedInBrowser(origin);
const [key, thief] = [await createDpopKey(), await createDpopKey()];
const anonymous = { authorization: '' };

/** The tokens of a client after its code was redeemed with the key. */
async function bound(client: 'public' | 'confidential') {
  const isPublic = client === 'public';
  const changes = isPublic ? { client_id } : {};
  const code = await obtainCode(browser, { ...changes, prompt: 'consent' });
  const { body } = await redeemWith(key, origin, code, changes, isPublic ? anonymous : {});
  assert.equal(body['token_type'], 'DPoP');
  return body;
}

const refreshPublic = (by: typeof key, token: unknown, instance = origin) =>
  refreshWith(by, origin, token, { changes: { client_id }, headers: anonymous, instance });

const withoutKey = (token: unknown) => refresh(origin, token, { client_id }, anonymous);

test('the refresh token of a public client needs the key of its first token, and a stranger neither uses it up nor ends it [9449 §5]', async () => {
  const { refresh_token } = await bound('public');
  for (const refused of [await withoutKey(refresh_token), await refreshPublic(thief, refresh_token)]) {
    assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_grant']);
  }
  const { status, body } = await refreshPublic(key, refresh_token);
  assert.equal(status, 200);
  assert.equal((await getBound(key, origin, body['access_token'])).status, 200);
  assert.equal((await refreshPublic(thief, body['refresh_token'])).status, 400, 'the successor is bound, too');
  assert.equal((await refreshPublic(key, body['refresh_token'])).status, 200);
});

test('a repeated refresh hands nothing to a thief without the key, and the owner gets the same tokens again [A419]', async () => {
  const { refresh_token } = await bound('public');
  const first = (await refreshPublic(key, refresh_token)).body;
  for (const instance of [origin, second.origin]) {
    assert.equal((await refreshPublic(thief, refresh_token, instance)).status, 400);
    assert.equal((await withoutKey(refresh_token)).status, 400);
    const { body } = await refreshPublic(key, refresh_token, instance);
    assert.deepEqual([body['access_token'], body['refresh_token']], [first['access_token'], first['refresh_token']]);
  }
  assert.equal((await getBound(key, origin, first['access_token'])).status, 200);
  assert.equal((await refreshPublic(key, first['refresh_token'])).status, 200);
});

test('a thief without the key cannot end the tokens by using an old refresh token [A419]', async () => {
  const { refresh_token } = await bound('public');
  const { body } = await refreshPublic(key, refresh_token);
  const latest = (await refreshPublic(key, body['refresh_token'])).body;
  assert.equal((await refreshPublic(thief, refresh_token)).status, 400);
  assert.equal((await withoutKey(refresh_token)).status, 400);
  assert.equal((await refreshPublic(key, latest['refresh_token'])).status, 200);
  assert.equal((await refreshPublic(key, refresh_token)).status, 400, 'with the key, it counts as reused');
  assert.equal((await getBound(key, origin, latest['access_token'])).status, 401);
});

test('two refreshes with two keys at the same time, at two instances: one token, bound to one of them [A419]', async () => {
  for (let round = 0; round < 5; round++) {
    const { refresh_token } = await bound('confidential');
    const answers = await Promise.all([
      refreshWith(key, origin, refresh_token),
      refreshWith(thief, origin, refresh_token, { instance: second.origin }),
    ]);
    const tokens = new Set(answers.map(({ body }) => body['access_token']));
    assert.equal(tokens.size, 1);
    const [token] = tokens;
    const uses = [await getBound(key, origin, token), await getBound(thief, origin, token)];
    assert.deepEqual(uses.map(({ status }) => status).sort(), [200, 401]);
    assert.equal((await getUser(origin, token)).status, 401);
  }
});

test('a repeated refresh with another key or none gets the same token, bound as before [A419]', async () => {
  const { refresh_token } = await bound('confidential');
  const first = (await refreshWith(key, origin, refresh_token)).body;
  for (const { body } of [await refreshWith(thief, origin, refresh_token), await refresh(origin, refresh_token)]) {
    assert.deepEqual([body['access_token'], body['token_type']], [first['access_token'], 'DPoP']);
  }
  assert.equal((await getBound(thief, origin, first['access_token'])).status, 401);
  assert.equal((await getUser(origin, first['access_token'])).status, 401);
  const { body } = await post(`${origin}/introspect`, { token: String(first['access_token']) });
  assert.deepEqual(body['cnf'], { jkt: key.thumbprint });
});

test('a client that got a bearer token may get bound ones from its next refresh on', async () => {
  const { refresh_token } = (await redeem(origin, await obtainCode(browser))).body;
  const { body } = await refreshWith(key, origin, refresh_token);
  assert.equal(body['token_type'], 'DPoP');
  assert.equal((await refresh(origin, body['refresh_token'])).body['token_type'], 'Bearer');
});

test('a client that is registered for bound tokens gets none without a proof; this is said as invalid_request [A262]', async () => {
  const register = `select register_client(client_id => $1, client_secret => $2, name => 'Bank', site_domain => $3,
    redirect_uris => $4, scopes => '{user}', dpop_bound_access_tokens => true)`;
  const { client_secret, site_domain, redirect_uri } = printer;
  await database.query(register, ['bank', client_secret, site_domain, [redirect_uri]]);
  const headers = { authorization: `Basic ${Buffer.from(`bank:${client_secret}`).toString('base64')}` };
  const code = await obtainCode(browser, { client_id: 'bank' });
  const refused = await redeem(origin, code, {}, headers);
  assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_request']);
  const { body } = await redeemWith(key, origin, code, {}, headers);
  assert.equal(body['token_type'], 'DPoP');
  const kept = await refresh(origin, body['refresh_token'], {}, headers);
  assert.deepEqual([kept.status, kept.body['error']], [400, 'invalid_request']);
  assert.equal((await refreshWith(key, origin, body['refresh_token'], { headers })).status, 200);
});

test('a client of the profile fapi2 keeps its refresh token, and each refresh gives a new access token [FAPI2 5.3.2.1-9]', async () => {
  const { refresh_token, access_token } = await bound('confidential');
  await database.query("update clients set profile = 'fapi2', token_binding = 'dpop' where client_id = $1", [
    printer.client_id,
  ]);
  const answers = [];
  for (const by of [key, thief, key]) answers.push(await refreshWith(by, origin, refresh_token));
  const atOnce = Array.from({ length: 5 }, () => refreshWith(key, origin, refresh_token));
  answers.push(...(await Promise.all(atOnce)));
  const tokens = new Set(answers.map(({ body }) => body['access_token']));
  assert.equal(tokens.size, 8);
  assert.deepEqual(
    new Set(answers.map(({ status, body }) => `${status} ${'refresh_token' in body}`)),
    new Set(['200 false']),
  );
  assert.equal((await getBound(thief, origin, answers[1]?.body['access_token'])).status, 200);
  assert.equal((await getBound(key, origin, access_token)).status, 200, 'the earlier ones stay valid');
  const { body } = await refreshWith(key, origin, refresh_token, { changes: { scope: 'user:name' } });
  assert.equal(body['scope'], 'user:name');
  await database.query("update clients set profile = null, token_binding = 'any'");
});
