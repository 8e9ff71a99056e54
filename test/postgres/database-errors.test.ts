import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freshTokens } from '../support/attack.ts';
import { createDatabase } from '../support/database.ts';
import { getUser, obtainCode, redeem, refresh, signedInBrowser, type TokenAnswer } from '../support/flow.ts';
import { startLatchkey, startWithPrinter } from '../support/latchkey.ts';
import { runOn } from '../support/server-for-tests.ts';

// What Postgres says without an answer to the question becomes 503; what it says about a plan is not an answer either.

const { origin, database, url } = await startWithPrinter();
const browser = await signedInBrowser(origin);
/** All probes of a second share one answer. */
async function untilReadyIs(status: number): Promise<void> {
  while ((await fetch(`${origin}/readyz`)).status !== status) await pause(20);
}

function assertAway({ status, body, headers }: TokenAnswer): void {
  assert.deepEqual([status, body['error'], headers.get('retry-after')], [503, 'temporarily_unavailable', '5']);
}

/** In every session from now on, and in none of before. The pool admits no server that is read-only, so it cannot be asked for it. */
async function forAllSessions(setting: string): Promise<void> {
  const writable = `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent('-c default_transaction_read_only=off')}`;
  await runOn(writable, `alter database ${new URL(url).pathname.slice(1)} ${setting}`);
  await runOn(
    writable,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  while (database.totalCount > 0) await pause(10);
}

/** With the pool as wide as it becomes: every connection has prepared what these requests ask. */
async function onEveryConnection(statement: string): Promise<void> {
  const clients = await Promise.all(Array.from({ length: database.totalCount }, () => database.connect()));
  for (const client of clients) {
    await client.query(statement);
    client.release();
  }
}

test('on a read-only server, requests that write get 503, the server is not ready, and nothing is lost', async () => {
  const { refresh_token } = await freshTokens(origin, browser, {});
  const code = await obtainCode(browser);
  await untilReadyIs(200);
  await forAllSessions('set default_transaction_read_only = on');
  assertAway(await redeem(origin, code));
  assertAway(await refresh(origin, refresh_token));
  await untilReadyIs(503);
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
  await forAllSessions('reset default_transaction_read_only');
  await untilReadyIs(200);
  assert.equal((await redeem(origin, code)).status, 200);
  assert.equal((await refresh(origin, refresh_token)).status, 200);
});

test('with a database without tables the server is healthy but not ready', async () => {
  const empty = await startLatchkey({}, await createDatabase({ migrated: false }));
  assert.equal((await fetch(`${empty.origin}/healthz`)).status, 200);
  const ready = await fetch(`${empty.origin}/readyz`);
  assert.deepEqual([ready.status, ready.headers.get('retry-after')], [503, '5']);
});

test('a missing table, as during a restore, causes 503 instead of a wrong answer about a token', async () => {
  const { access_token } = await freshTokens(origin, browser, {});
  await database.query('alter table access_tokens rename to being_restored');
  assertAway(await getUser(origin, access_token));
  await database.query('alter table being_restored rename to access_tokens');
  assert.equal((await getUser(origin, access_token)).status, 200);
});

for (const [what, statement] of [
  ['a plan that an alter invalidated', 'alter table users alter column name type varchar(1000)'],
  ['a prepared statement lost by a pooler', 'deallocate all'],
] as const) {
  test(`${what} is prepared again on every connection, without an error`, async () => {
    const { access_token, refresh_token } = await freshTokens(origin, browser, {});
    const ask = () => Promise.all(Array.from({ length: 5 }, () => getUser(origin, access_token)));
    await ask();
    await onEveryConnection('select 1');
    for (let turn = 0; turn < 5; turn += 1) await ask();
    if (/alter/.test(statement)) await database.query(statement);
    else await onEveryConnection(statement);
    for (let turn = 0; turn < 5; turn += 1) for (const { status } of await ask()) assert.equal(status, 200);
    assert.equal((await refresh(origin, refresh_token)).status, 200);
  });
}
