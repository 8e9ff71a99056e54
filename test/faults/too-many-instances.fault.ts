import assert from 'node:assert/strict';
import { setPriority } from 'node:os';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freshTokens } from '../support/attack.ts';
import { getUser, signedInBrowser } from '../support/flow.ts';
import { seed, startProcess, startServing } from '../support/process.ts';
import { scratch, writeFile } from '../support/scratch.ts';
import { startAlone } from './cluster.ts';
import { chooseRate, keepAsking } from './constant-rate.ts';
import { startTraffic } from './traffic.ts';

const secondsEach = 15;

/** Other programs take every connection that is left, and each that becomes free. */
async function crowd(url: string): Promise<void> {
  const held: pg.Client[] = [];
  const take = async () => {
    const client = new pg.Client(url);
    client.on('error', () => {});
    await client.connect();
    held.push(client);
  };
  const isFull = () =>
    take().then(
      () => false,
      () => true,
    );
  while (!(await isFull()));
  const timer = setInterval(() => void isFull(), 200);
  after(async () => {
    clearInterval(timer);
    await Promise.all(held.map((client) => client.end()));
  });
}

test('two instances go on as before while no connection is left, and six more with two workers each wait for one [F46]', async (t) => {
  const postgres = await startAlone(scratch, { max_connections: '40' });
  await postgres.query('create role app login');
  await postgres.query('alter database postgres owner to app');
  const DATABASE_URL = `postgres://app@127.0.0.1:${postgres.port}/postgres`;
  const env = { DATABASE_URL, SEED_FILE: writeFile('seed.sql', seed) };
  const one = await startServing(env);
  const two = await startServing({ ...env, ISSUER: one.origin });
  const { access_token } = await freshTokens(one.origin, await signedInBrowser(one.origin), {});
  let turn = 0;
  const ask = () => getUser((turn++ % 2 ? one : two).origin, access_token);
  const rate = await chooseRate(ask);
  const traffic = await startTraffic(one.origin, 8, 50);
  const measure = async () => {
    const stopAsking = keepAsking(ask, rate);
    await pause(secondsEach * 1000);
    return stopAsking();
  };

  const alone = await measure();
  await crowd(DATABASE_URL);
  const others = [];
  for (let count = 0; count < 6; count += 1) {
    const other = await startProcess({ ...env, ISSUER: one.origin, WEB_CONCURRENCY: '2' });
    // it would run on another machine, and not take the processors from those that serve
    setPriority(other.child.pid ?? 0, 19);
    others.push(other);
  }
  await Promise.all(others.map(({ said }) => said(/no connection left; waiting for one/)));
  const crowded = await measure();

  const [before, during] = [alone, crowded].map(({ p99 }) => p99.toFixed(1));
  t.diagnostic(`${Math.round(rate)} requests a second; p99 before and during the shortage: ${before} ms, ${during} ms`);
  await traffic.stop();
  assert.deepEqual([Object.keys(alone.counted), Object.keys(crowded.counted)], [['200'], ['200']]);
  assert.deepEqual([...traffic.ledger.answers.keys()].sort(), [200, 302]);
  assert.deepEqual(new Set(others.map(({ child }) => child.exitCode)), new Set([null]));
  await traffic.ledger.verify(two.origin);
  await Promise.all([one, two, ...others].map((latchkey) => latchkey.kill()));
});
