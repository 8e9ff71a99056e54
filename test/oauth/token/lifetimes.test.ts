import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSweep } from '../../../src/operations/sweep.sql.ts';
import { familyKeyOf, freshTokens } from '../../support/attack.ts';
import { getUser, obtainCode, post, refresh, signedInBrowser } from '../../support/flow.ts';
import { startWithPrinter } from '../../support/latchkey.ts';

const longest = { AUTHORIZATION_CODE_TTL: '3600', ACCESS_TOKEN_TTL: '31536000', REFRESH_TOKEN_TTL: '315360000' };
const { origin, database } = await startWithPrinter({ ...longest, REFRESH_GRACE: '3600' });
const browser = await signedInBrowser(origin);

test('tokens with the longest configurable lifetimes are issued, refreshed, introspected and swept', async () => {
  const { access_token, refresh_token } = await freshTokens(origin, browser, {});
  const renewed = await refresh(origin, refresh_token);
  assert.deepEqual([renewed.status, renewed.body['expires_in']], [200, 31_536_000]);
  const repeated = await refresh(origin, refresh_token);
  assert.deepEqual([repeated.status, repeated.body['access_token']], [200, renewed.body['access_token']]);
  const now = Date.now() / 1000;
  for (const [token, ttl] of [
    [access_token, 31_536_000],
    [renewed.body['refresh_token'], 315_360_000],
  ] as const) {
    const { body } = await post(`${origin}/introspect`, { token: String(token) });
    assert.equal(body['active'], true);
    assert.ok(Math.abs(Number(body['exp']) - now - ttl) < 60, String(body['exp']));
  }
  assert.ok(await obtainCode(browser, { prompt: 'consent' }, { duration: 'once' }));
  assert.deepEqual(await createSweep(database)(), { rows: 0, skipped: undefined });
});

test('a token family with the longest lifetimes ends after twelve of them', async () => {
  const { refresh_token } = await freshTokens(origin, browser, {});
  await database.query("update authorization_codes set family_ends_at = family_ends_at - interval '1051176 hours'");
  const { body } = await refresh(origin, refresh_token);
  const { rows } = await database.query(
    'select round(extract(epoch from refresh_expires_at - now()))::integer as left from authorization_codes where code_sha256 = $1',
    [familyKeyOf(body['refresh_token'])],
  );
  assert.ok(Math.abs(rows[0].left - 86_400) < 60, rows[0].left);
});

test('tokens that expire after January 2038 work, and their times are reported in whole seconds', async () => {
  const { access_token, refresh_token } = await freshTokens(origin, browser, {});
  for (const [table, prefix] of [
    ['access_tokens', ''],
    ['authorization_codes', 'refresh_'],
  ]) {
    await database.query(
      `update ${table} set ${prefix}issued_at = '2020-01-01T00:00:00.9Z', ${prefix}expires_at = '2050-01-01T00:00:00.9Z'`,
    );
  }
  for (const token of [access_token, refresh_token]) {
    const { body } = await post(`${origin}/introspect`, { token });
    assert.deepEqual([body['iat'], body['exp']], [Date.UTC(2020, 0) / 1000, Date.UTC(2050, 0) / 1000]);
  }
  assert.equal((await getUser(origin, access_token)).status, 200);
});
