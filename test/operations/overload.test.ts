// ci: starts, stops and kills processes
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Generator } from '../bench/generator.ts';
import { createDatabase } from '../support/database.ts';
import { getUser, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { scrapeUntil } from '../support/metrics.ts';
import { seed, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';

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
  const task = { port, method: 'GET', path: '/{}', headers: {}, values: Array<string>(3000).fill('') } as const;
  const answered = generator.drive(task);
  const times = await healthTimes(port, answered);
  const { statuses, answer } = await answered;
  assert.deepEqual(Object.keys(statuses), ['200', '503']);
  // two seconds without a refusal; then an answered request waits for at most half a second, so one of four clients is answered
  assert.ok((statuses[200] ?? 0) > 1000, JSON.stringify(statuses));
  assert.ok((times[times.length >> 1] ?? 0) < 500, `${times}`);
  assert.match(answer, /^HTTP\/1\.1 (200|503) /);
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200);
});

test('a burst of requests is answered in full, without a refusal, although the last waits for more than half a second', async () => {
  const port = await startSlowServer();
  const generator = new Generator(800);
  after(() => generator.stop());
  const task = { port, method: 'GET', path: '/{}', headers: {}, values: Array<string>(800).fill('') } as const;
  await generator.drive(task, 200);
});

/** The answers to requests that are sent at once on one connection. */
async function statusesOf(port: number, paths: string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`).join(''));
  socket.write('GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
  let text = '';
  for await (const chunk of socket) text += chunk;
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status);
}

test('a pause of the whole process is no overload: the requests that have waited meanwhile are answered', async () => {
  const port = await startSlowServer();
  const paths = ['/pause', ...Array<string>(200).fill('/quick')];
  const statuses = await statusesOf(port, paths);
  assert.equal(statuses.length, paths.length + 1);
  assert.deepEqual([...new Set(statuses)], ['200']);
});

/** Asks until the server is overloaded; what it admits until then waits for the database, and fails without an effect. */
async function untilOverloaded<T extends { body: object }>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (Object.values(answer.body).some((text) => String(text).includes(overloaded))) return answer;
    await pause(20);
  }
}

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
  // the server admits requests again whenever its queue has become empty, so more are sent until all is shown
  let isShown = false;
  const traffic = Promise.all(
    Array.from({ length: 100 }, async () => {
      for (; !isShown; await pause(20)) await user();
    }),
  );
  // after a failed assertion the end of the server breaks it off
  traffic.catch(() => {});
  const refused = await untilOverloaded(user);
  assert.equal(refused.status, 503);
  assert.equal(refused.body['error'], 'temporarily_unavailable');
  assert.equal(refused.body['request_id'], refused.headers.get('x-request-id'));
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
  assert.equal((await untilOverloaded(() => redeem(origin, code))).status, 503);
  const page = await untilOverloaded(async () => {
    const response = await fetch(`${origin}/login`, { headers: { accept: 'text/html' } });
    return { status: response.status, body: { page: await response.text() } };
  });
  assert.equal(page.status, 503);
  assert.match(page.body.page, /id="error">temporarily_unavailable/);
  assert.match(page.body.page, /<a id="again" href="">Try again</);
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);

  await locker.query('rollback');
  await locker.end();
  isShown = true;
  await traffic;
  assert.equal((await user()).status, 200);
  // the numbers name the rule, and count a request also if it was refused before its address was looked up
  const refusals = 'latchkey_refusals_total{error="temporarily_unavailable",reason="database overloaded"}';
  const early = 'latchkey_http_requests_total{route="none",method="other",status="503"}';
  const counted = await scrapeUntil(`${origin}/metrics`, (found) => found.value(early) >= 3);
  assert.equal(counted.value(refusals), counted.value(early));
  assert.equal((await redeem(origin, code)).status, 200);
  await kill();
  assert.match(output(), /^\{"level":40,.*"reason":"database overloaded"/m, 'a warning');
});
