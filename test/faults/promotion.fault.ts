import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { getUser, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { seed, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';
import { addressOf, type Server, startCluster } from './cluster.ts';
import { keepAsking } from './constant-rate.ts';
import { startHaproxy, startRole, withoutHaproxy } from './haproxy.ts';
import { startTraffic } from './traffic.ts';

const rounds = Number(process.env['FAULT_ROUNDS'] ?? 2);
const SEED_FILE = writeFile('seed.sql', seed);
const { primary, standby, join } = await startCluster();

/** The servers take turns: each round loses the primary, promotes the other, and brings the first back as its standby. */
async function failOver(url: string, signal: NodeJS.Signals): Promise<string> {
  const latchkey = await startServing({ DATABASE_URL: url, SEED_FILE });
  const traffic = await startTraffic(latchkey.origin, 16, 200);
  const times: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [leader, follower] = await inOrder();
    rates.push(await traffic.flows(50));
    await leader.signal(signal);
    await follower.promote();
    times.push(await traffic.recovered(performance.now()));
    await leader.signal('SIGKILL');
    await join(leader, follower);
  }
  await traffic.flows(20);
  await traffic.stop();
  await traffic.ledger.verify(latchkey.origin);
  await latchkey.kill();
  const answers = JSON.stringify(Object.fromEntries(traffic.ledger.answers));
  return [
    `ms until changes succeeded again: ${list(times)}`,
    `requests a second before: ${list(rates)}`,
    `answers by status: ${answers}`,
  ].join('; ');
}

const list = (numbers: number[]) => numbers.map(Math.round).join(', ');

async function inOrder(): Promise<[Server, Server]> {
  const [row] = await primary.query('select pg_is_in_recovery() as is_standby');
  return row?.['is_standby'] ? [standby, primary] : [primary, standby];
}

for (const [how, signal] of [
  ['killed', 'SIGKILL'],
  ['frozen', 'SIGSTOP'],
] as const) {
  test(`the primary is ${how} under traffic and its synchronous standby promoted, with both hosts in DATABASE_URL [F40]`, async (t) => {
    t.diagnostic(await failOver(addressOf(primary, standby), signal));
  });

  test(`the primary is ${how} under traffic and its synchronous standby promoted, behind HAProxy [F40]`, {
    skip: withoutHaproxy,
  }, async (t) => {
    const roles = [await startRole(primary), await startRole(standby)] as const;
    const { database } = await startHaproxy({ databases: [primary.port, standby.port], roles });
    t.diagnostic(await failOver(`postgres://latchkey@127.0.0.1:${database}/postgres`, signal));
  });
}

test('two servers accept writes and the older one still answers: within 30 seconds no connection to it is left [F41]', async (t) => {
  const [leader, follower] = await inOrder();
  const latchkey = await startServing({ DATABASE_URL: addressOf(leader, follower), SEED_FILE });
  const { origin } = latchkey;
  // what the old server has acknowledged since the promotion is lost, so nothing is written meanwhile
  const stopAsking = keepAsking(() => getUser(origin, 'unknown'), 50);
  await leader.query('alter system reset synchronous_standby_names');
  await leader.query('select pg_reload_conf()');
  await follower.promote();
  const start = performance.now();
  const connections = `select from pg_stat_activity where application_name = 'latchkey' and datname is not null`;
  await latchkey.said(/accepts writes, although another one has replaced it/);
  while ((await leader.query(connections)).length > 0) await pause(50);
  t.diagnostic(`left alone after ${Math.round(performance.now() - start)} ms`);
  await stopAsking();
  assert.equal((await redeem(origin, await obtainCode(await signedInBrowser(origin)))).status, 200);
  await latchkey.kill();
});
