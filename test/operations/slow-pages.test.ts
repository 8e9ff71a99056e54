import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '../../src/app.ts';
import { openDatabase, requestSettings } from '../../src/postgres/database.ts';
import { getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { startWithPrinter } from '../support/latchkey.ts';

const { database, deps, url } = await startWithPrinter();

// as many connections as a server has; the test decides how long a slow statement takes
const untimed = { ...requestSettings, statement_timeout: '0', lock_timeout: '0' };
const pool = openDatabase({ connectionString: url }, 16, untimed);
Object.assign(pool.options, { query_timeout: 600_000 });
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

/** From now on what the page of recent activity asks takes a connection until the function is called. */
async function slowDown(): Promise<() => Promise<void>> {
  const holder = await database.connect();
  await holder.query('select pg_advisory_lock(1)');
  const { query } = pool;
  pool.query = ((statement: { name: string }, ...rest: unknown[]) => {
    const slow = { text: 'select pg_advisory_xact_lock_shared(1)' };
    const isSlow = statement.name === 'find_audit_events_of_user';
    return Reflect.apply(query, pool, [isSlow ? slow : statement, ...rest]);
  }) as typeof query;
  return async () => {
    await holder.query('select pg_advisory_unlock(1)');
    holder.release();
  };
}

async function countSlow(): Promise<number> {
  const { rows } = await database.query(
    "select count(*)::integer as slow from pg_stat_activity where datname = current_database() and wait_event = 'advisory'",
  );
  return rows[0].slow;
}

test('twenty slow pages of one user delay no token or resource request', async () => {
  const browser = await signedInBrowser(origin);
  const { body } = await redeem(origin, await obtainCode(browser));
  const goOn = await slowDown();
  let answered = 0;
  const pages = Array.from({ length: 20 }, () => browser.open('/account/activity').finally(() => (answered += 1)));
  const half = pool.options.max / 2;
  while ((await countSlow()) < half) await pause(10);
  const [resource, renewal] = await Promise.all([
    getUser(origin, body['access_token']),
    refresh(origin, body['refresh_token']),
  ]);
  assert.deepEqual([resource.status, renewal.status, await countSlow()], [200, 200, half]);
  // those that got no connection
  while (answered < pages.length - half) await pause(10);
  await goOn();
  const statuses = (await Promise.all(pages)).map(({ status }) => status);
  assert.ok(statuses.filter((status) => status === 503).length >= pages.length - half, statuses.join(' '));
});
