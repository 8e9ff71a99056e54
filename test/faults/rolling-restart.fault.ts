import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freshTokens } from '../support/attack.ts';
import { createDatabase } from '../support/database.ts';
import { getUser, signedInBrowser } from '../support/flow.ts';
import { findFreePort } from '../support/free-port.ts';
import { buildPreviousRelease, withoutPreviousRelease } from '../support/previous-release.ts';
import { type LatchkeyProcess, program, seed, startServing } from '../support/process.ts';
import { scratch, writeFile } from '../support/scratch.ts';
import { chooseRate, keepAsking } from './constant-rate.ts';
import { startHaproxy, withoutHaproxy } from './haproxy.ts';
import { startTraffic } from './traffic.ts';

/** How often each instance is restarted. */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
/** Minutes for which the previous release and this release serve together. */
const minutesTogether = Number(process.env['FAULT_MINUTES'] ?? 0.05);

interface Instance {
  readonly name: 'one' | 'two';
  readonly port: number;
  process: LatchkeyProcess;
}

interface Installation {
  /** what HAProxy has said about the instances */
  readonly origin: string;
  readonly instances: readonly [Instance, Instance];
  states(): string[];
  /** how many requests the instances have answered with 503, other than those of HAProxy, by the reason that they have logged */
  refusals(): Record<string, number>;
  /** Ends an instance in order and starts another program in its place. */
  replace(instance: Instance, main: string): Promise<void>;
}

/** Two instances of a program behind HAProxy, which sees both. */
async function install(main: string): Promise<Installation> {
  const ports = [await findFreePort(), await findFreePort()] as const;
  const haproxy = await startHaproxy({ instances: ports });
  const origin = `http://127.0.0.1:${haproxy.web}`;
  const env = {
    DATABASE_URL: await createDatabase({ migrated: false }),
    SEED_FILE: writeFile('seed.sql', seed),
    ISSUER: origin,
    TRUST_PROXY: '1',
    DRAIN_DELAY: '2',
  };
  const all: LatchkeyProcess[] = [];
  const serve = async (port: number, version: string) => {
    const latchkey = await startServing({ ...env, PORT: String(port) }, [], version);
    all.push(latchkey);
    return latchkey;
  };
  const refusals = () => {
    const lines = all.flatMap((one) => one.output().match(/^(?!.*"path":"\/readyz").*"status":503.*$/gm) ?? []);
    const reasons = lines.map((line) => /"reason":"([^"]*)"/.exec(line)?.[1] ?? line);
    return Object.fromEntries(
      [...new Set(reasons)].map((one) => [one, reasons.filter((reason) => reason === one).length]),
    );
  };
  const start = async (name: 'one' | 'two', port: number): Promise<Instance> => {
    // at first HAProxy takes for granted that every server is up
    await haproxy.sees(name, 'DOWN');
    const instance = { name, port, process: await serve(port, main) };
    await haproxy.sees(name, 'UP');
    return instance;
  };
  const replace = async (instance: Instance, version: string) => {
    const { name, port, process: old } = instance;
    old.child.kill('SIGTERM');
    await haproxy.sees(name, 'DOWN');
    assert.equal(await old.exit, 0);
    instance.process = await serve(port, version);
    await haproxy.sees(name, 'UP');
  };
  const { states } = haproxy;
  return { states, refusals, origin, instances: [await start('one', ports[0]), await start('two', ports[1])], replace };
}

/** Requests for a resource at a constant rate and whole flows beside them; not one may fail while this is done. */
async function withoutFailure(t: TestContext, installation: Installation, act: () => Promise<void>): Promise<void> {
  const { origin, states, refusals } = installation;
  const { access_token } = await freshTokens(origin, await signedInBrowser(origin), {});
  const ask = () => getUser(origin, access_token);
  const stopAsking = keepAsking(ask, await chooseRate(ask));
  const traffic = await startTraffic(origin, 8, 50);
  await act();
  await traffic.flows(10);
  await traffic.stop();
  const { counted, rate } = await stopAsking();
  const flows = JSON.stringify(Object.fromEntries(traffic.ledger.answers));
  t.diagnostic(`${Math.round(rate)} requests a second: ${JSON.stringify(counted)}, and flows: ${flows}`);
  t.diagnostic(`HAProxy saw: ${states().join(', ')}`);
  t.diagnostic(`The instances answered 503 because of: ${JSON.stringify(refusals())}`);
  assert.deepEqual(Object.keys(counted), ['200']);
  assert.deepEqual([...traffic.ledger.answers.keys()].sort(), [200, 302]);
  await traffic.ledger.verify(origin);
}

test('two instances behind HAProxy are restarted one after the other under load, and no request fails [F47]', {
  skip: withoutHaproxy,
  timeout: (rounds + 5) * 60_000,
}, async (t) => {
  const installation = await install(program);
  const { instances, replace } = installation;
  await withoutFailure(t, installation, async () => {
    for (let round = 0; round < rounds; round += 1) {
      for (const instance of instances) await replace(instance, program);
    }
  });
  await Promise.all(instances.map((instance) => instance.process.kill()));
});

test('two instances behind HAProxy are upgraded one after the other under load, and go back, and no request fails [F38] [F47]', {
  skip: withoutHaproxy || withoutPreviousRelease,
  timeout: (minutesTogether + 10) * 60_000,
}, async (t) => {
  const previous = await buildPreviousRelease(scratch);
  const installation = await install(previous);
  const { instances, replace } = installation;
  const [first, second] = instances;
  await withoutFailure(t, installation, async () => {
    await replace(first, program);
    await pause(minutesTogether * 60_000);
    await replace(second, program);
    for (const instance of instances) await replace(instance, previous);
  });
  await Promise.all(instances.map((instance) => instance.process.kill()));
});
