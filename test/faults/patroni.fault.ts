import { test } from 'node:test';
import { seed, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';
import { startHaproxy, withoutHaproxy } from './haproxy.ts';
import { startPatroni, withoutPatroni } from './patroni.ts';
import { startTraffic, type Traffic } from './traffic.ts';

const SEED_FILE = writeFile('seed.sql', seed);

/** Until changes succeed again on each way to the database. */
async function recovery(ways: readonly Traffic[], act: () => Promise<unknown>): Promise<string> {
  const start = performance.now();
  await act();
  const times = await Promise.all(ways.map((traffic) => traffic.recovered(performance.now())));
  const since = Math.round(performance.now() - start);
  return `${since} ms in all; after the call returned, ms by HAProxy and by several hosts: ${times.map(Math.round).join(', ')}`;
}

test('Patroni switches over, and then loses the machine of the primary: nothing acknowledged is lost [F40]', {
  skip: withoutPatroni || withoutHaproxy,
}, async (t) => {
  const machines = await startPatroni();
  const [first, second] = machines;
  const login = 'postgres:a-password';
  const { database } = await startHaproxy({ databases: [first.port, second.port], roles: [first.rest, second.rest] });
  const urls = [
    `postgres://${login}@127.0.0.1:${database}/postgres`,
    `postgres://${login}@127.0.0.1:${first.port},127.0.0.1:${second.port}/postgres?target_session_attrs=read-write`,
  ];
  const servers = [];
  for (const DATABASE_URL of urls) servers.push(await startServing({ DATABASE_URL, SEED_FILE }));
  const ways = await Promise.all(servers.map(({ origin }) => startTraffic(origin, 4)));
  await Promise.all(ways.map((traffic) => traffic.flows(10)));

  t.diagnostic(
    `switch-over: ${await recovery(ways, () => first.ask('POST', '/switchover', { leader: 'db1', candidate: 'db2' }))}`,
  );
  await first.answers('/synchronous');
  await Promise.all(ways.map((traffic) => traffic.flows(10)));

  t.diagnostic(
    `machine lost: ${await recovery(ways, async () => {
      second.lose();
      await first.answers('/primary');
    })}`,
  );
  await Promise.all(ways.map((traffic) => traffic.flows(10)));
  for (const [index, traffic] of ways.entries()) {
    await traffic.stop();
    await traffic.ledger.verify(servers[index]?.origin ?? '');
  }
  await Promise.all(servers.map((server) => server.kill()));
});
