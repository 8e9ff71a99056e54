// ci: starts, stops and kills processes
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startCrowdedPostgres } from '../support/crowded-postgres.ts';
import { authorizationQuery, codeIn, getUser, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { type LatchkeyProcess, seed, startProcess, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';

const postgres = await startCrowdedPostgres();
await postgres.run('create extension pgcrypto', 'template1');
const shared = await postgres.createDatabase('shared');
const serverEnv = { DATABASE_URL: shared.url, SEED_FILE: writeFile('crowded.sql', seed) };
const first = await startServing(serverEnv);

const ready = ({ origin }: LatchkeyProcess) =>
  fetch(`${origin}/readyz`).then(
    ({ status }) => status,
    () => 0,
  );

/** A slow machine may let a request wait too long for its turn; then the application asks again. */
async function insist(ask: () => Promise<number>): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const status = await ask();
    if (status !== 503 || tries === 100) return status;
    await pause(50);
  }
}

/** What the log says when a request fails because Postgres refused a connection. */
const noConnectionLeft = /connection slots|too many clients/;

/** Resolves when the log has the requests that were answered so far. */
async function hasWrittenItsLog({ origin, said }: LatchkeyProcess): Promise<void> {
  const path = `/after-all-of-them-${randomUUID()}`;
  await fetch(origin + path);
  await said(new RegExp(path));
}

/** Ends the connections of the instance to its database, which frees them for others. */
const disconnect = () =>
  postgres.run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'shared'`);

test('the start says how many connections the instance uses, and how many there are', () => {
  assert.match(first.output(), /The instance uses up to 18 of the 77 connections that the database accepts\./);
});

test('an instance that gets no further connection answers everything with those that it has [F46]', async (t) => {
  const browser = await signedInBrowser(first.origin);
  const { body } = await redeem(first.origin, await obtainCode(browser));
  await disconnect();
  while ((await ready(first)) !== 200) await pause(100);
  await postgres.crowd();
  t.after(() => postgres.giveBack());
  const exchange = async () => {
    const page = await browser.open(`/authorize?${authorizationQuery()}`);
    return page.status === 302 ? (await redeem(first.origin, codeIn(page))).status : page.status;
  };
  const requests = [
    () => ready(first),
    async () => (await browser.open('/account')).status,
    async () => (await getUser(first.origin, body['access_token'])).status,
    exchange,
  ];
  const before = shared.connections();
  const asked = Array.from({ length: 5 }, () => requests.map(insist)).flat();
  assert.deepEqual(new Set(await Promise.all(asked)), new Set([200]));
  assert.ok(shared.connections() > before, 'it asked for further connections');
  await hasWrittenItsLog(first);
  assert.doesNotMatch(first.output(), noConnectionLeft);
  while ((await ready(first)) !== 200) await pause(100);
});

test('an instance without any connection is not ready and does not end; it recovers when there are connections again [F46]', async () => {
  await disconnect();
  await postgres.crowd();
  const before = shared.connections();
  let response = await fetch(`${first.origin}/readyz`);
  // all probes of a second share one answer
  for (; response.status !== 503; await pause(100)) response = await fetch(`${first.origin}/readyz`);
  assert.ok(response.headers.get('retry-after'));
  const start = performance.now();
  // many requests, few connections
  while (performance.now() - start < 2500) await Promise.all([ready(first), ready(first), pause(50)]);
  const most = 3 + Math.ceil((performance.now() - start) / 1000) * 2;
  assert.ok(shared.connections() - before <= most, `${shared.connections() - before} connections`);
  await postgres.giveBack();
  while ((await ready(first)) !== 200) await pause(100);
  assert.equal(first.child.exitCode, null);
});

test('an instance for which no connection is left waits at its start, says the sum, and serves as soon as two are free [F46]', async () => {
  const empty = await postgres.createDatabase('empty');
  await hasWrittenItsLog(first);
  const saidBefore = first.output().length;
  await postgres.crowd();
  const start = performance.now();
  // once a second, so that its connection does not become idle and go to another instance
  const asking = setInterval(() => void ready(first), 1000);
  const waiting = [
    await startProcess({ DATABASE_URL: empty.url }),
    await startProcess({ DATABASE_URL: shared.url, WEB_CONCURRENCY: '4' }),
    await startProcess({ DATABASE_URL: shared.url }),
  ] as const;
  const [alone, workers, stopped] = waiting;
  const sum = (most: number) =>
    new RegExp(`no connection left; waiting for one. Each instance with these settings uses up to ${most}: raise`);
  await Promise.all([alone.said(sum(18)), workers.said(sum(54)), stopped.said(sum(18))]);
  stopped.child.kill('SIGTERM');
  assert.equal(await stopped.exit, 0);
  await pause(3000);
  // each try opens two connections
  const tries = Math.ceil((performance.now() - start) / 1000);
  assert.ok(empty.connections() <= 2 * (tries + 1), `${empty.connections()} connections in ${tries} s`);
  assert.deepEqual(
    waiting.slice(0, 2).map(({ child }) => child.exitCode),
    [null, null],
  );
  assert.equal(await insist(() => ready(first)), 200, 'the one that serves goes on');
  await workers.kill();
  // migrations and all
  await postgres.giveBack(2);
  await alone.said(/Latchkey serves/);
  assert.equal(await insist(() => ready(alone)), 200);
  clearInterval(asking);
  await hasWrittenItsLog(first);
  assert.doesNotMatch(first.output().slice(saidBefore), noConnectionLeft, 'the others took no connection from it');
  await postgres.giveBack();
  await alone.kill();
});
