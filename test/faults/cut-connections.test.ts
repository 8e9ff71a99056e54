// ci: kills and waits
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase } from '../support/database.ts';
import { seed, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';
import { startProxy } from './proxy.ts';
import { startTraffic } from './traffic.ts';

test('when all database connections break again and again under traffic, nothing acknowledged is lost and no code is used twice [F6] [F7]', async (t) => {
  const url = new URL(await createDatabase());
  const proxy = await startProxy(url.href);
  url.searchParams.delete('host');
  const DATABASE_URL = url.href.replace(url.host, proxy.address);
  const latchkey = await startServing({ DATABASE_URL, SEED_FILE: writeFile('seed.sql', seed) });
  const traffic = await startTraffic(latchkey.origin);
  for (let cuts = 0; cuts < 20; cuts += 1) {
    await pause(Math.random() * 60);
    proxy.cut();
    await traffic.flows(1);
  }
  await traffic.recovered(performance.now());
  await traffic.stop();
  t.diagnostic(`answers by status: ${JSON.stringify(Object.fromEntries(traffic.ledger.answers))}`);
  await traffic.ledger.verify(latchkey.origin);
  await latchkey.kill();
});
