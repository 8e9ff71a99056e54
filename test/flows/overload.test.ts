import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Generator } from '../bench/generator.ts';
import { createDatabase } from '../support/database.ts';
import { getUser, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { seed, startServing, writeFile } from '../support/process.ts';

const overloaded = 'the server is overloaded, try again';

async function startSlowServer(): Promise<number> {
  const child = fork(fileURLToPath(new URL('../support/slow-server.ts', import.meta.url)));
  after(() => child.kill());
  const [port] = (await once(child, 'message')) as [number];
  return port;
}

async function healthTimes(port: number, until: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let done = false;
  void until.then(() => (done = true));
  while (!done) {
    const begin = performance.now();
    const { status } = await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: 'close' } });
    assert.equal(status, 200);
    times.push(performance.now() - begin);
    await pause(50);
  }
  return times.sort((one, other) => one - other);
}

test('under overload the server refuses requests that waited too long, answers the others, and stays healthy', async () => {
  const port = await startSlowServer();
  const generator = new Generator(1000);
  after(() => generator.stop());
  const task = { port, method: 'GET', path: '/{}', headers: {}, values: Array<string>(6000).fill('') } as const;
  const answered = generator.drive(task);
  const times = await healthTimes(port, answered);
  const { statuses, answer } = await answered;
  assert.deepEqual(Object.keys(statuses), ['200', '503']);
  // an answered request waits for at most half a second, so a thousand clients cannot all be answered
  assert.ok((statuses[200] ?? 0) > 300, JSON.stringify(statuses));
  assert.ok((times[times.length >> 1] ?? 0) < 500, `${times}`);
  assert.match(answer, /^HTTP\/1\.1 (200|503) /);
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200);
});

test('a burst of requests is answered in full, without a refusal', async () => {
  const port = await startSlowServer();
  const generator = new Generator(200);
  after(() => generator.stop());
  const task = { port, method: 'GET', path: '/{}', headers: {}, values: Array<string>(200).fill('') } as const;
  await generator.drive(task, 200);
});

test('while the database is slow, excess requests are refused at once without any effect, and service recovers afterwards', async () => {
  const DATABASE_URL = await createDatabase();
  const { origin, kill, output } = await startServing({ DATABASE_URL, SEED_FILE: writeFile('seed.sql', seed) });
  const browser = await signedInBrowser(origin);
  const { body } = await redeem(origin, await obtainCode(browser));
  const code = await obtainCode(browser);
  const user = () => getUser(origin, body['access_token']);

  const locker = new pg.Client({ connectionString: DATABASE_URL });
  await locker.connect();
  await locker.query('begin');
  await locker.query('lock table access_tokens');
  const waiting: Promise<unknown>[] = [];
  let refused: Awaited<ReturnType<typeof user>> | undefined;
  while (!refused) {
    const asked = user().then((answer) => {
      if (answer.body['error_description'] === overloaded) refused = answer;
    });
    waiting.push(asked);
    await pause(20);
  }
  assert.equal(refused.status, 503);
  assert.equal(refused.body['error'], 'temporarily_unavailable');
  assert.equal(refused.body['request_id'], refused.headers.get('x-request-id'));
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
  const exchange = await redeem(origin, code);
  assert.deepEqual([exchange.status, exchange.body['error_description']], [503, overloaded]);
  const page = await fetch(`${origin}/login`, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 503);
  assert.match(await page.text(), /id="error">temporarily_unavailable/);
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);

  await locker.query('rollback');
  await locker.end();
  await Promise.all(waiting);
  assert.equal((await user()).status, 200);
  assert.equal((await redeem(origin, code)).status, 200);
  await kill();
  assert.match(output(), /^\{"level":40,.*"reason":"overloaded"/m, 'a warning');
});
