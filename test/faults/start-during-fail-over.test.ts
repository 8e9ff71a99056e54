// ci: kills and waits
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { type LatchkeyProcess, seed, startProcess } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';
import { addressOf, type Server, startCluster } from './cluster.ts';

const { primary, standby } = await startCluster();

/** As an operator writes the address of a single server. */
const plainAddress = (server: Server) => addressOf(server).replace(/\?.*/, '');

async function setReadOnly(server: Server, value: 'on' | 'off'): Promise<void> {
  await server.query(`alter system set default_transaction_read_only = ${value}`);
  await server.query('select pg_reload_conf()');
  while ((await server.query('show default_transaction_read_only'))[0]?.['default_transaction_read_only'] !== value);
}

async function serves(latchkey: LatchkeyProcess): Promise<void> {
  await latchkey.said(/Latchkey serves/);
  assert.equal((await redeem(latchkey.origin, await obtainCode(await signedInBrowser(latchkey.origin)))).status, 200);
  await latchkey.kill();
}

const SEED_FILE = writeFile('people.sql', seed);

test('a start waits while the only database server is read-only, as during a fail-over [F3]', async () => {
  await setReadOnly(primary, 'on');
  const starting = await Promise.all(
    ['1', '2'].map((WEB_CONCURRENCY) =>
      startProcess({ DATABASE_URL: plainAddress(primary), SEED_FILE, WEB_CONCURRENCY }),
    ),
  );
  for (const latchkey of starting) await latchkey.said(/Waiting for the database: \S+ is read-only/);
  await setReadOnly(primary, 'off');
  for (const latchkey of starting) await serves(latchkey);
});

test('a start goes on when the database server becomes read-only in the middle of it, and accepts writes again [F3]', async () => {
  // the transaction of the seed began before, and is the last one that may write
  const slow = writeFile('slow.sql', `${seed}\nselect pg_sleep(2);`);
  const latchkey = await startProcess({ DATABASE_URL: plainAddress(primary), SEED_FILE: slow });
  while ((await primary.query(`select from pg_stat_activity where wait_event = 'PgSleep'`)).length === 0);
  await setReadOnly(primary, 'on');
  await latchkey.said(/Waiting for the database: /);
  await setReadOnly(primary, 'off');
  await serves(latchkey);
});

test('a start waits while the only address is that of a standby, and serves once that is promoted [F3]', async () => {
  const latchkey = await startProcess({ DATABASE_URL: plainAddress(standby), SEED_FILE });
  await latchkey.said(/Waiting for the database: \S+ is a standby/);
  await primary.signal('SIGKILL');
  await standby.promote();
  await serves(latchkey);
});
