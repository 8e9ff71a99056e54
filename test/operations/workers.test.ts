// ci: starts, stops and kills processes
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Browser } from '../support/browser.ts';
import { createCertificate, noOpenssl } from '../support/certificate.ts';
import { createDatabase } from '../support/database.ts';
import { findFreePort } from '../support/free-port.ts';
import { password } from '../support/latchkey.ts';
import { type LatchkeyProcess, startProcess, startServing } from '../support/process.ts';
import { scratch, writeFile } from '../support/scratch.ts';

/** Each process begins its request ids with a word of its own. */
async function processesThatAnswer(origin: string): Promise<Set<string>> {
  const words = new Set<string>();
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const { headers, status } = await fetch(`${origin}/readyz`, { headers: { connection: 'close' } });
    assert.equal(status, 200);
    words.add((headers.get('x-request-id') ?? '').split('-')[0] ?? '');
  }
  return words;
}

/** Each line of the log names the process that wrote it. */
function workersOf({ child, output }: LatchkeyProcess): number[] {
  const pids = [...output().matchAll(/"pid":(\d+).*"request_id"/g)].map(([, pid]) => Number(pid));
  return [...new Set(pids)].filter((pid) => pid !== child.pid);
}

/** Once their lines are here: a log goes out a few lines at a time. */
async function awaitWorkers(latchkey: LatchkeyProcess, count: number): Promise<number[]> {
  for (let tries = 0; tries < 1500 && workersOf(latchkey).length < count; tries += 1) await pause(20);
  const workers = workersOf(latchkey);
  assert.equal(workers.length, count);
  return workers;
}

test('with WEB_CONCURRENCY several processes share port and database, and a process that dies is replaced', async () => {
  const latchkey = await startServing({ DATA_DIR: join(scratch, 'workers'), WEB_CONCURRENCY: '2' });
  const { child, origin } = latchkey;
  assert.equal((await processesThatAnswer(origin)).size, 2);
  assert.equal((await fetch(`${origin}/playground`)).status, 200);
  await Promise.all([1, 2, 3].map(() => signInAt(origin)));
  assert.equal(latchkey.output().match(/Open http/g)?.length, 1);

  const workers = await awaitWorkers(latchkey, 2);
  process.kill(workers[0] ?? 0, 'SIGKILL');
  await latchkey.said(/a worker process ended; starting another/);
  while ((await processesThatAnswer(origin)).size < 2) await pause(50);
  await awaitWorkers(latchkey, 3);

  child.kill('SIGTERM');
  assert.equal(await latchkey.exit, 0);
  for (const pid of workersOf(latchkey)) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  assert.equal(latchkey.output().match(/worker process ended/g)?.length, 1);
});

/** Passwords are hashed in turn. A machine that is too slow for the turn of this one asks to try again. */
async function signInAt(origin: string): Promise<void> {
  let status = 503;
  while (status === 503) {
    const browser = new Browser(origin);
    const person = { username: 'alice', password };
    ({ status } = await browser.submit(await browser.visit('/login'), 'id="login"', person));
  }
  assert.equal(status, 200);
}

test('Ctrl-C, which reaches every process of the terminal, stops them in order', async () => {
  const latchkey = await startServing({ DATABASE_URL: await createDatabase(), WEB_CONCURRENCY: '2' });
  assert.equal((await processesThatAnswer(latchkey.origin)).size, 2);
  for (const pid of await awaitWorkers(latchkey, 2)) process.kill(pid, 'SIGINT');
  assert.equal((await processesThatAnswer(latchkey.origin)).size, 2);
  latchkey.child.kill('SIGINT');
  assert.equal(await latchkey.exit, 0);
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Starts two workers and stops one by SIGSTOP; returns the process ids of that worker and of the embedded database. */
async function startWithHungWorker(name: string) {
  const DATA_DIR = join(scratch, name);
  const latchkey = await startServing({ DATA_DIR, WEB_CONCURRENCY: '2' });
  while ((await processesThatAnswer(latchkey.origin)).size < 2) await pause(20);
  const [hung = 0] = await awaitWorkers(latchkey, 2);
  process.kill(hung, 'SIGSTOP');
  const database = Number.parseInt(readFileSync(join(DATA_DIR, 'postgres/data/postmaster.pid'), 'utf8'), 10);
  return { ...latchkey, hung, database };
}

test('a worker that hangs is logged and replaced within half a minute', async () => {
  const latchkey = await startWithHungWorker('hung');
  const since = performance.now();
  await latchkey.said(/"worker":\d+.*a worker process does not answer; ending it/);
  await latchkey.said(/a worker process ended; starting another/);
  assert.ok(performance.now() - since < 30_000);
  while ((await processesThatAnswer(latchkey.origin)).size < 2) await pause(50);
  assert.equal(isAlive(latchkey.hung), false);
  latchkey.child.kill('SIGTERM');
  assert.equal(await latchkey.exit, 0);
});

test('SIGTERM ends a worker that hangs, and the embedded database, within ten seconds', async () => {
  const { child, exit, hung, database } = await startWithHungWorker('stopped');
  const since = performance.now();
  child.kill('SIGTERM');
  // 1 where the machine is so busy that the database needs more than a second to stop
  assert.ok([0, 1].includes(Number(await exit)));
  assert.ok(performance.now() - since < 10_000);
  for (const pid of [hung, database]) while (isAlive(pid)) await pause(20);
});

test('a forced exit leaves neither a worker that hangs nor the embedded database', async () => {
  const { child, exit, hung, database } = await startWithHungWorker('forced');
  child.kill('SIGTERM');
  await pause(1200);
  child.kill('SIGTERM');
  assert.equal(await exit, 130);
  for (const pid of [hung, database]) while (isAlive(pid)) await pause(20);
});

test('when the workers cannot start, the server ends with the reason', async () => {
  const other = await startServing({ DATABASE_URL: await createDatabase() });
  const { port } = new URL(other.origin);
  const latchkey = await startProcess({ DATABASE_URL: await createDatabase(), PORT: port, WEB_CONCURRENCY: '3' });
  assert.equal(await latchkey.exit, 1);
  assert.match(latchkey.output(), new RegExp(`PORT ${port} on HOST 127.0.0.1 is in use`));
  await other.kill();
});

test('the server serves https itself, with TLS 1.2 and later only', { skip: noOpenssl }, async () => {
  const files = createCertificate();
  const DATABASE_URL = await createDatabase();
  const PORT = String(await findFreePort());
  const ISSUER = `https://localhost:${PORT}`;
  const latchkey = await startServing({ DATABASE_URL, PORT, ISSUER, HOST: 'localhost', ...files });
  const ca = readFileSync(files.TLS_CERT_FILE);
  const ask = (options: object) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${ISSUER}/healthz`, { ca, agent: new Agent({ keepAlive: true }), ...options });
      sent.on('response', (res) => resolve(res.resume().statusCode)).on('error', reject);
      sent.end();
    });
  assert.equal(await ask({}), 200);
  assert.equal(await ask({ maxVersion: 'TLSv1.2' }), 200);
  await assert.rejects(
    ask({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    /alert protocol version/,
  );
  latchkey.child.kill('SIGTERM');
  assert.equal(await latchkey.exit, 0);

  const wrong = await startProcess({ DATABASE_URL, ...files, TLS_CERT_FILE: writeFile('wrong.pem', 'wrong') });
  assert.equal(await wrong.exit, 1);
  assert.match(wrong.output(), /^TLS_CERT_FILE, TLS_KEY_FILE: cannot be used: /m);
});
