import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { disableAccount } from '../../../src/accounts/administered-users.sql.ts';
import { createCredential, createSecret, credentialKey, digestOf, isSecret } from '../../../src/lib/secrets.ts';
import { freshTokens, liveSuccessors } from '../../support/attack.ts';
import { getUser, obtainCode, post, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { recorded } from '../../support/recorded.ts';

const one = await startLatchkey();
const { origin, database, url } = one;
/** Started later, as after a restart: it shares nothing with the first but the database. */
const two = await startLatchkey({ ISSUER: origin }, url);
await registerPeople(database, ['alice', 'bob']);
await registerPrinter(database);
const browser = await signedInBrowser(origin);

test('codes and tokens hold 256 random bits in URL-safe characters, and never repeat [A101]', () => {
  const codes = Array.from({ length: 10_000 }, () => createCredential('authorization_code'));
  assert.equal(new Set(codes.map((code) => code.slice(12, 55))).size, codes.length);
  for (const code of codes) assert.match(code, /^lk_ac_[0-9a-z]{6}[\w-]{49}$/);
  const bits = new Set(
    codes.flatMap((code) => [...Buffer.from(code.slice(12, 55), 'base64url')].map((byte, at) => `${at} ${byte}`)),
  );
  assert.equal(bits.size, 32 * 256, 'every byte takes every value');
});

test('codes, refresh tokens and revocations are valid for another instance as well [A215] [A229] [A280]', async () => {
  const code = await obtainCode(browser);
  const { body } = await redeem(origin, code);
  const second = (await refresh(two.origin, body['refresh_token'])).body;
  const third = (await refresh(origin, second['refresh_token'])).body;
  assert.equal((await getUser(two.origin, third['access_token'])).status, 200);
  assert.equal((await refresh(two.origin, body['refresh_token'])).body['error'], 'invalid_grant');
  assert.equal((await getUser(origin, third['access_token'])).status, 401);

  const again = await obtainCode(browser);
  const tokens = (await redeem(origin, again)).body;
  assert.equal((await redeem(two.origin, again)).body['error'], 'invalid_grant');
  assert.equal((await getUser(origin, tokens['access_token'])).status, 401);
});

test('a request that starts after a revocation was answered is refused, at both instances [A280] [A292]', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { access_token } = await freshTokens(origin, browser, {});
    await Promise.all([getUser(origin, access_token), getUser(two.origin, access_token)]);
    const revocations = Array.from({ length: 20 }, () => post(`${origin}/revoke`, { token: access_token }));
    assert.ok((await Promise.all(revocations)).every(({ status }) => status === 200));
    const after = await Promise.all([getUser(two.origin, access_token), getUser(origin, access_token)]);
    assert.deepEqual(
      after.map(({ status }) => status),
      [401, 401],
    );
  }
});

test('an access token from before a refresh lives until its own end, and revoking a later refresh token ends it [A235]', async () => {
  const { access_token, refresh_token } = await freshTokens(origin, browser, {});
  const { body } = await refresh(origin, refresh_token);
  assert.equal((await getUser(origin, access_token)).status, 200);
  await post(`${origin}/revoke`, { token: String(body['refresh_token']) });
  assert.equal((await getUser(origin, access_token)).status, 401);
});

test('a token with one character changed, removed or added causes no query [A200] [A218]', async () => {
  const { access_token, refresh_token } = await freshTokens(origin, browser, {});
  const code = await obtainCode(browser);
  const asked: string[] = [];
  const query = database.query.bind(database);
  Object.assign(database, {
    query: (statement: { name?: string }, ...rest: []) => {
      asked.push(statement.name ?? '');
      return query(statement as never, ...rest);
    },
  });
  for (const secret of [access_token, refresh_token, code]) {
    for (const at of [0, 6, 30, 54]) {
      const letter = secret[at] === 'A' ? 'B' : 'A';
      const broken = secret.slice(0, at) + letter + secret.slice(at + 1);
      assert.equal((await getUser(origin, broken)).status, 401);
      assert.equal((await redeem(origin, broken)).body['error'], 'invalid_grant');
      assert.equal((await refresh(origin, broken)).body['error'], 'invalid_grant');
    }
  }
  Object.assign(database, { query });
  assert.deepEqual(
    asked.filter((name) => /find_active|redeem|rotate/.test(name)),
    [],
  );
  assert.equal((await redeem(origin, code)).status, 200);
});

test('unknown codes and tokens are looked up by digest in an index, which reveals nothing about near matches [A218] [A278]', async () => {
  await database.query('set enable_seqscan = off');
  const { rows } = await database.query('explain select 1 from authorization_codes where code_sha256 = $1', [
    credentialKey('x'),
  ]);
  assert.match(JSON.stringify(rows), /authorization_codes_unique/);
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => redeem(origin, createCredential('authorization_code'))),
  );
  assert.ok(answers.every(({ body }) => body['error'] === 'invalid_grant'));
});

test('disabling a user ends all of the user’s access at once, and user ids are never reused [A281] [A284] [A298]', async () => {
  await assert.rejects(registerPrinter(database, { client_id: '1' }), /mere number/);
  const bob = await signedInBrowser(origin, 'bob');
  const tokens = await freshTokens(origin, bob, { prompt: 'consent' });
  const before = (await getUser(origin, tokens.access_token)).body['id'];
  await database.query("update users set username = 'robert' where username = 'bob'");
  assert.deepEqual((await getUser(origin, tokens.access_token)).body['id'], before, 'a new name is the same person');
  await disableAccount(database, Number(before), false, recorded('user_disabled'));
  assert.equal((await getUser(two.origin, tokens.access_token)).status, 401);
  assert.equal((await refresh(two.origin, tokens.refresh_token)).body['error'], 'invalid_grant');
  assert.deepEqual((await post(`${origin}/introspect`, { token: tokens.access_token })).body, { active: false });
  assert.equal((await bob.open('/login')).status, 200);
  await database.query("delete from users where username = 'robert'");
  assert.equal((await getUser(origin, tokens.access_token)).status, 401);
  await registerPeople(database, ['bob']);
  const newcomer = await freshTokens(origin, await signedInBrowser(origin, 'bob'), { prompt: 'consent' });
  assert.notEqual((await getUser(origin, newcomer.access_token)).body['id'], before);
});

test('a refresh that leaves no scope is refused, and revokes nothing', async () => {
  const { refresh_token } = await freshTokens(origin, browser, { scope: 'user repo:read', prompt: 'consent' });
  await database.query("update grants set scopes = '{repo:read}' where revoked_at is null and user_id = 1");
  assert.ok(
    ['invalid_grant', 'invalid_scope'].includes(
      String((await refresh(origin, refresh_token, { scope: 'user:name' })).body['error']),
    ),
  );
  assert.equal((await refresh(origin, refresh_token)).body['scope'], 'repo:read');
  assert.equal(await liveSuccessors(database, refresh_token), 1);
  await database.query('update grants set revoked_at = now()');
});

test('the profile response must not be stored, however the token was sent [A277]', async () => {
  const { access_token } = await freshTokens(origin, browser, { prompt: 'consent' });
  for (const answer of [
    await fetch(`${origin}/user?access_token=${access_token}`),
    await fetch(`${origin}/user?access_token=${access_token}x`),
    await fetch(`${origin}/user`, { headers: { authorization: `Bearer ${access_token}` } }),
  ]) {
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(answer.headers.get('etag'), null);
  }
});

test('rows are found by the creation second and the digest of the secret, never by the secret itself', () => {
  const token = createCredential('access_token');
  const key = credentialKey(token);
  assert.equal(key.length, 38);
  assert.ok(Math.abs(Number.parseInt(key.toString('latin1', 0, 6), 36) - Date.now() / 1000) < 5);
  assert.deepEqual(key.subarray(6), digestOf(token));
  const later = (Math.floor(Date.now() / 1000) + 1000).toString(36);
  assert.equal(Buffer.compare(key, Buffer.from(later)), -1, 'a later one is further to the right in the index');
});

test('the extra timestamp character from December 2038 on changes nothing', () => {
  const token = createSecret('access_token', randomBytes(32), (2 ** 31 + 2 ** 27).toString(36));
  assert.equal(token.length, 62);
  assert.ok(isSecret('access_token', token));
  assert.deepEqual(credentialKey(token).subarray(7), digestOf(token));
});

test('secrets of the first format, which has no timestamp, are found by digest alone', () => {
  const token = createSecret('access_token');
  assert.ok(isSecret('access_token', token));
  assert.deepEqual(credentialKey(token), digestOf(token));
  for (const chosen of ['x'.repeat(80), createSecret('client_secret'), `lk_at_${'x'.repeat(60)}`])
    assert.deepEqual(credentialKey(chosen), digestOf(chosen), 'nothing of a secret that others made is kept as it is');
});
