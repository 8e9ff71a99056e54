import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freshTokens } from '../support/attack.ts';
import { createDatabase } from '../support/database.ts';
import { getUser, signedInBrowser } from '../support/flow.ts';
import { findFreePort } from '../support/free-port.ts';
import { seed, startServing, writeFile } from '../support/process.ts';
import { startHaproxy, withoutHaproxy } from './haproxy.ts';
import { startTraffic } from './traffic.ts';

type Ask = () => Promise<{ status: number }>;

/** Requests a second: 200, or half of what this machine answers at all. */
async function chooseRate(ask: Ask): Promise<number> {
  const start = performance.now();
  let answered = 0;
  const client = async () => {
    for (; performance.now() - start < 2000; answered += 1) await ask();
  };
  await Promise.all([1, 2, 3, 4].map(client));
  return Math.min(200, answered / 4);
}

/** Sends requests at this rate, whether or not the ones before were answered. */
function keepAsking(ask: Ask, perSecond: number) {
  const outcomes: Promise<string>[] = [];
  const start = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - start) / 1000) * perSecond;
    while (outcomes.length < due)
      outcomes.push(
        ask().then(
          ({ status }) => String(status),
          (error) => String(error.cause ?? error),
        ),
      );
  }, 5).unref();
  return async () => {
    clearInterval(timer);
    const seconds = (performance.now() - start) / 1000;
    const counted: Record<string, number> = {};
    for (const outcome of await Promise.all(outcomes)) counted[outcome] = (counted[outcome] ?? 0) + 1;
    return { counted, rate: outcomes.length / seconds };
  };
}

test('two instances behind HAProxy are restarted one after the other under load, and no request fails [F47]', {
  skip: withoutHaproxy,
}, async (t) => {
  const ports = [await findFreePort(), await findFreePort()] as const;
  const { web } = await startHaproxy({ instances: ports });
  const origin = `http://127.0.0.1:${web}`;
  const env = {
    DATABASE_URL: await createDatabase(),
    SEED_FILE: writeFile('seed.sql', seed),
    ISSUER: origin,
    TRUST_PROXY: '1',
    DRAIN_DELAY: '2',
  };
  const start = (port: number) => startServing({ ...env, PORT: String(port) });
  const isUp = async (port: number) => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  let instances = await Promise.all(ports.map(start));
  // until HAProxy has seen both
  while (
    new Set(
      await Promise.all(Array.from({ length: 20 }, () => fetch(`${origin}/healthz`).then(({ status }) => status))),
    ).has(503)
  )
    await pause(100);
  await pause(2000);
  const { access_token } = await freshTokens(origin, await signedInBrowser(origin), {});
  const ask = () => getUser(origin, access_token);
  const stopAsking = keepAsking(ask, await chooseRate(ask));
  const traffic = await startTraffic(origin, 2);
  for (const [index, port] of ports.entries()) {
    const old = instances[index];
    old?.child.kill('SIGTERM');
    await old?.said(/Stopping\./);
    assert.equal(await isUp(port), 503);
    assert.equal(await old?.exit, 0);
    instances = instances.with(index, await start(port));
    assert.equal(await isUp(port), 200);
    // HAProxy checks every second
    await pause(2500);
  }
  await traffic.flows(10);
  await traffic.stop();
  const { counted, rate } = await stopAsking();
  t.diagnostic(
    `${Math.round(rate)} requests a second: ${JSON.stringify(counted)}, and flows: ${JSON.stringify(Object.fromEntries(traffic.ledger.answers))}`,
  );
  assert.deepEqual(Object.keys(counted), ['200']);
  assert.deepEqual([...traffic.ledger.answers.keys()].sort(), [200, 302]);
  await traffic.ledger.verify(origin);
  await Promise.all(instances.map((instance) => instance.kill()));
});
