import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createRefreshToken, readRefreshToken } from '../../../src/lib/refresh-token.ts';
import { eventsOf, familyKeyOf, freshTokens } from '../../support/attack.ts';
import { getUser, refresh, signedInBrowser } from '../../support/flow.ts';
import { startLatchkey, startWithPrinter } from '../../support/latchkey.ts';

// A family is one row. Its earlier refresh tokens are stored nowhere, and are recognised by their tags.

const [first, second] = ['the first secret of at least 32 characters', 'the second secret of at least 32 characters'];
const { origin, database, url } = await startWithPrinter({ SESSION_SECRET: first });
const browser = await signedInBrowser(origin);

/** The tokens after so many refreshes, each with the refresh token of the one before. */
async function refreshed(refresh_token: string, times: number) {
  let last = { access_token: '', refresh_token };
  for (let time = 0; time < times; time += 1) {
    const { status, body } = await refresh(origin, last.refresh_token);
    assert.equal(status, 200, JSON.stringify(body));
    last = { access_token: String(body['access_token']), refresh_token: String(body['refresh_token']) };
  }
  return last;
}

const reuses = async () => (await eventsOf(database, 'refresh_token_reused')).length;

for (const times of [2, 100]) {
  test(`a refresh token that was used ${times} refreshes ago ends the family [A227]`, async () => {
    const { refresh_token } = await freshTokens(origin, browser, {});
    const last = await refreshed(refresh_token, times);
    assert.equal((await getUser(origin, last.access_token)).status, 200);
    const before = await reuses();
    const { status, body } = await refresh(origin, refresh_token);
    assert.deepEqual([status, body['error'], await reuses()], [400, 'invalid_grant', before + 1]);
    assert.equal((await getUser(origin, last.access_token)).status, 401);
    assert.equal((await refresh(origin, last.refresh_token)).status, 400);
  });
}

test('a refresh token of a family that was refreshed 8000 times since ends it', async () => {
  const { refresh_token } = await freshTokens(origin, browser, {});
  const family_key = familyKeyOf(refresh_token);
  const current = createRefreshToken(first, { family_key, generation: 8000 });
  await database.query(
    'update authorization_codes set refresh_generation = 8000, refresh_token_sha256 = $1 where code_sha256 = $2',
    [current.refresh_token_sha256, family_key],
  );
  const { refresh_token: next } = await refreshed(current.refresh_token, 1);
  const before = await reuses();
  assert.equal((await refresh(origin, refresh_token)).body['error'], 'invalid_grant');
  assert.equal(await reuses(), before + 1);
  assert.equal((await refresh(origin, next)).status, 400);
});

test('a token that somebody made up for a known family ends nothing, whatever number it has', async () => {
  const { refresh_token } = await freshTokens(origin, browser, {});
  const last = await refreshed(refresh_token, 3);
  const family_key = familyKeyOf(refresh_token);
  const before = await reuses();
  for (const generation of [0, 1, 2, 3, 4, 2 ** 31 - 2, 2 ** 31 - 1, 2 ** 32 - 1]) {
    const madeUp = createRefreshToken('a secret of somebody else', { family_key, generation });
    assert.equal((await refresh(origin, madeUp.refresh_token)).body['error'], 'invalid_grant');
  }
  assert.equal(await reuses(), before);
  assert.equal((await refresh(origin, last.refresh_token)).status, 200);
});

test('a token of this server that is newer than the database knows, as after a restore, is refused and ends nothing', async () => {
  const { refresh_token } = await freshTokens(origin, browser, {});
  const family_key = familyKeyOf(refresh_token);
  const before = await reuses();
  for (const generation of [0, 1, 7]) {
    const lost = createRefreshToken(first, { family_key, generation });
    assert.equal((await refresh(origin, lost.refresh_token)).body['error'], 'invalid_grant');
  }
  assert.equal(await reuses(), before);
  assert.equal((await refresh(origin, refresh_token)).status, 200);
});

test('the tag of an old token holds while its secret is one of SESSION_SECRET; afterwards the token is merely unknown', async () => {
  const changed = await startLatchkey({ ISSUER: origin, SESSION_SECRET: `${second},${first}` }, url);
  const lost = await startLatchkey({ ISSUER: origin, SESSION_SECRET: second }, url);
  const { refresh_token } = await freshTokens(origin, browser, {});
  const last = await refreshed(refresh_token, 2);
  const before = await reuses();
  assert.equal((await refresh(lost.origin, refresh_token)).body['error'], 'invalid_grant');
  assert.equal(await reuses(), before);
  // the current one needs no tag, and its answer is repeated by whichever secret
  const next = await refresh(lost.origin, last.refresh_token);
  assert.equal(next.status, 200);
  const again = await refresh(changed.origin, last.refresh_token);
  const digestIn = (answer: typeof next) =>
    readRefreshToken(String(answer.body['refresh_token']))?.refresh_token_sha256;
  assert.deepEqual(digestIn(again), digestIn(next));
  assert.equal(again.body['access_token'], next.body['access_token']);
  assert.equal((await refresh(changed.origin, refresh_token)).body['error'], 'invalid_grant');
  assert.equal(await reuses(), before + 1);
});

/** While any transaction of this server is open, of another test's database too, no version of a row that died since is removed. */
async function olderTransactionsEnded(): Promise<void> {
  const snapshot = async () => {
    const { rows } = await database.query<Record<'oldest' | 'next', string>>(
      'select pg_snapshot_xmin(pg_current_snapshot())::text as oldest, pg_snapshot_xmax(pg_current_snapshot())::text as next',
    );
    assert.ok(rows[0]);
    return { oldest: BigInt(rows[0].oldest), next: BigInt(rows[0].next) };
  };
  const { next } = await snapshot();
  while ((await snapshot()).oldest < next) await pause(50);
}

test('a refresh changes one row and no index of it, and hundreds of refreshes take no more space', async () => {
  const { refresh_token } = await freshTokens(origin, browser, {});
  const measure = async () => {
    const { rows } = await database.query<Record<'updates' | 'hot' | 'bytes', number>>(
      `select n_tup_upd::integer as updates, n_tup_hot_upd::integer as hot, pg_total_relation_size('authorization_codes')::integer as bytes
       from pg_stat_user_tables where relname = 'authorization_codes'`,
    );
    assert.ok(rows[0]);
    return rows[0];
  };
  let last = await refreshed(refresh_token, 50);
  for (let round = 0; round < 20; round += 1) {
    await olderTransactionsEnded();
    const before = await measure();
    last = await refreshed(last.refresh_token, 200);
    let after = await measure();
    // Postgres counts late
    while (after.updates < before.updates + 200) {
      await pause(50);
      after = await measure();
    }
    const isHot = after.hot - before.hot > 0.9 * (after.updates - before.updates);
    if (isHot && after.bytes === before.bytes) return;
  }
  assert.fail('the table has grown with each two hundred refreshes of one family');
});
