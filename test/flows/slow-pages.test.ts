import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '../../src/app.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { startWithPrinter } from '../support/latchkey.ts';

const { database, deps, url } = await startWithPrinter();

// as many connections as a server has
const pool = openDatabase({ connectionString: url });
const server = createServer({ keepAliveTimeout: 65_000 }, createApp({ ...deps, database: pool })).listen(
  0,
  '127.0.0.1',
);
await once(server, 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(() => {
  server.close();
  server.closeAllConnections();
  return pool.end();
});

/** From now on what the page of the account asks takes three seconds, and a connection with it. */
function slowDown(): void {
  const { query } = pool;
  pool.query = ((statement: { name: string }, ...rest: unknown[]) => {
    const slow = statement.name === 'find_audit_events_of_user' ? { text: 'select pg_sleep(3)' } : statement;
    return Reflect.apply(query, pool, [slow, ...rest]);
  }) as typeof query;
}

async function countSleepers(): Promise<number> {
  const { rows } = await database.query(
    "select count(*)::integer as sleepers from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(3)' and state = 'active'",
  );
  return rows[0].sleepers;
}

test('twenty slow pages of one user delay no token or resource request', async () => {
  const browser = await signedInBrowser(origin);
  const { body } = await redeem(origin, await obtainCode(browser));
  slowDown();
  let answered = 0;
  const pages = Array.from({ length: 20 }, () => browser.open('/account').finally(() => (answered += 1)));
  while ((await countSleepers()) < pool.options.max / 2) await pause(10);
  const [resource, renewal] = await Promise.all([
    getUser(origin, body['access_token']),
    refresh(origin, body['refresh_token']),
  ]);
  assert.deepEqual([resource.status, renewal.status, answered], [200, 200, 0]);
  const statuses = (await Promise.all(pages)).map(({ status }) => status);
  // some pages were served, the others answered 503
  assert.ok(statuses.includes(503) && statuses.every((status) => status === 503 || status === 200 || status === 500));
});
