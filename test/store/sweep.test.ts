import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sweep } from '../../src/store/sweep.ts';
import { obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const { origin, database } = await startLatchkey();
await registerPeople(database);
await registerPrinter(database);
const browser = await signedInBrowser(origin);
const ttl = 12 * 2_592_000;

async function counts(): Promise<Record<string, number>> {
  const tables = [
    'access_tokens',
    'refresh_tokens',
    'authorization_codes',
    'sessions',
    'consent_decisions',
    'attempts',
  ];
  const { rows } = await database.query(
    tables.map((table) => `select '${table}' as name, count(*)::integer as rows from ${table}`).join(' union all '),
  );
  return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]));
}

test('the sweep leaves everything alone that may still be asked for', async () => {
  const { body } = await redeem(origin, await obtainCode(browser));
  await refresh(origin, body['refresh_token']);
  await obtainCode(browser);
  const before = await counts();
  assert.equal(await sweep(database, ttl), 0);
  assert.deepEqual(await counts(), before);
});

test('a used code and a rotated token stay while their family may be alive; expired access tokens and unused codes go [F28]', async () => {
  await database.query("update access_tokens set expires_at = now() - interval '2 days'");
  await database.query("update refresh_tokens set expires_at = now() - interval '2 days' where rotated_at is not null");
  await database.query(
    "update authorization_codes set issued_at = now() - interval '40 days', expires_at = now() - interval '40 days'",
  );
  await sweep(database, ttl);
  const { access_tokens, refresh_tokens, authorization_codes } = await counts();
  assert.deepEqual(
    { access_tokens, refresh_tokens, authorization_codes },
    { access_tokens: 0, refresh_tokens: 2, authorization_codes: 1 },
  );
});

test('once the family is over everything of it goes, in batches, and so do sessions, decisions and counters', async () => {
  await database.query("update refresh_tokens set expires_at = now() - interval '2 days'");
  await database.query("update authorization_codes set issued_at = now() - interval '363 days'");
  await database.query("update sessions set last_used_at = now() - interval '2 days'");
  await database.query("update consent_decisions set decided_at = now() - interval '2 days'");
  await database.query("update attempts set forgotten_at = now() - interval '1 second'");
  await database.query(
    "insert into attempts select 'key ' || n, 1, now(), now() - interval '1 second' from generate_series(1, 2500) n",
  );
  await sweep(database, ttl);
  assert.deepEqual(Object.values(await counts()), [0, 0, 0, 0, 0, 0]);
});
