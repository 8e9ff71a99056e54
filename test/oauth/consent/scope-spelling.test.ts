import assert from 'node:assert/strict';
import { test } from 'node:test';
import { obtainCode, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { startWithPrinter } from '../../support/latchkey.ts';

const { origin, database } = await startWithPrinter();
const browser = await signedInBrowser(origin);

async function tokensFor(scope: string | undefined, ticked?: string[]) {
  await database.query('update grants set revoked_at = now() where revoked_at is null');
  return (await redeem(origin, await obtainCode(browser, { scope }, ticked ? { scope: ticked } : {}))).body;
}

test('the answer spells the scope as it was requested when all of it was granted', async () => {
  for (const [requested, answered] of [
    ['user:name user:email', 'user:name user:email'],
    ['user:email user:name', 'user:email user:name'],
    ['user', 'user'],
    ['user,repo:read', 'user repo:read'],
    ['user:name user', 'user:name user'],
    ['openid user:name', 'user:name'],
  ] as const) {
    const tokens = await tokensFor(requested);
    assert.equal(tokens['scope'], answered, requested);
    const { body } = await refresh(origin, tokens['refresh_token']);
    assert.equal(body['scope'], answered, `${requested}, refreshed`);
    assert.equal((await refresh(origin, tokens['refresh_token'])).body['scope'], answered, `${requested}, repeated`);
  }
});

test('it is canonical when something was unticked, when no scope was requested, and when less is in force', async () => {
  assert.equal((await tokensFor('user:email user:name repo:read', ['user:name', 'user:email']))['scope'], 'user');
  assert.equal((await tokensFor('user', ['user:email']))['scope'], 'user:email');
  assert.match(String((await tokensFor(undefined))['scope']), /^user /);
  const tokens = await tokensFor('repo:read user:name user:email');
  await database.query("update grants set scopes = array_remove(scopes, 'repo:read') where revoked_at is null");
  assert.equal((await refresh(origin, tokens['refresh_token'])).body['scope'], 'user');
});

test('a refresh that names a scope is answered in its spelling', async () => {
  const tokens = await tokensFor('user repo:read');
  const { body } = await refresh(origin, tokens['refresh_token'], { scope: 'user:email user:name' });
  assert.equal(body['scope'], 'user:email user:name');
});
