// ci: starts, stops and kills processes
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../src/postgres/database.ts';
import { Browser } from '../support/browser.ts';
import { createDatabase } from '../support/database.ts';
import { getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { findFreePort } from '../support/free-port.ts';
import { seed, startProcess, startServing } from '../support/process.ts';
import { scratch, writeFile } from '../support/scratch.ts';

const DATABASE_URL = await createDatabase();
const seedFile = writeFile('seed.sql', seed);

const status = (url: string) => fetch(url).then((response) => response.status);

test('without configuration the server creates its database, starts the demo, prints one link, and serves the page behind it', async () => {
  const DATA_DIR = join(scratch, 'missing', 'demo');
  const latchkey = await startServing({ DATA_DIR });
  assert.equal(latchkey.output().match(/Open http:\S+\/playground/g)?.length, 1);
  const applied = latchkey.output().match(/Applied .*/g) ?? [];
  assert.equal(applied.length, 1);
  assert.match(applied[0] ?? '', /^Applied \d+ migrations \(001_\w+\.sql to \d+_\w+\.sql\) and \d+ SQL functions\./);
  assert.equal(await status(`${latchkey.origin}/playground`), 200);

  const browser = new Browser(latchkey.origin);
  await browser.submit(await browser.visit('/login'), 'id="login"', { username: 'alice', password: 'wonderland' });
  assert.match((await browser.visit('/')).text, /Alice Liddell/);

  const second = await startProcess({ DATA_DIR });
  assert.equal(await second.exit, 1);
  assert.match(second.output(), /in use by another Latchkey \(pid \d+/);
  assert.equal(await status(`${latchkey.origin}/readyz`), 200);

  latchkey.child.kill('SIGINT');
  assert.equal(await latchkey.exit, 0);
  const again = await startServing({ DATA_DIR, PORT: new URL(latchkey.origin).port });
  assert.doesNotMatch(again.output(), /Creating the database|Applied/);
  assert.match((await browser.visit('/')).text, /Alice Liddell/);
  await again.kill();
});

/** A request whose second half is sent when the test calls `finish`. */
async function beginRequest(origin: string): Promise<{ socket: Socket; finish: () => Promise<string> }> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk));
  const body = 'grant_type=authorization_code&code=none&client_id=nobody';
  const head = ['POST /token HTTP/1.1', 'Host: localhost', 'Content-Type: application/x-www-form-urlencoded'];
  // answered with 100 Continue once the head was read [9110 §10.1.1]
  socket.write([...head, 'Expect: 100-continue', `Content-Length: ${body.length}`, '', body.slice(0, 20)].join('\r\n'));
  while (!answer.endsWith('\r\n\r\n')) await once(socket, 'data');
  assert.match(answer, /^HTTP\/1.1 100 /);
  answer = '';
  const finish = async () => {
    const closed = socket.closed ? undefined : once(socket, 'close');
    socket.write(body.slice(20));
    await closed;
    return answer;
  };
  return { socket, finish };
}

/** One connection without a request and one kept alive after its answer; `closed` resolves when both are closed. */
async function openIdleConnections(origin: string): Promise<{ closed: Promise<unknown> }> {
  const { hostname, port } = new URL(origin);
  const silent = connect(Number(port), hostname).on('error', () => {});
  await once(silent, 'connect');
  const sent = get(`${origin}/healthz`, { agent: new Agent({ keepAlive: true }) });
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const kept = answer.socket;
  await once(answer.resume(), 'end');
  return { closed: Promise.all([silent, kept].map((socket) => once(socket, 'close'))) };
}

/** Connections are accepted until the queue of the listener is empty. */
async function refusesConnections(origin: string): Promise<void> {
  const { hostname, port } = new URL(origin);
  for (let code = ''; code !== 'ECONNREFUSED'; await pause(10)) {
    const socket = connect(Number(port), hostname);
    code = await once(socket, 'connect').then(
      () => 'connected',
      (error) => error.code,
    );
    socket.destroy();
  }
}

describe('on a stop signal', { concurrency: true }, () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    test(`${signal}: the server finishes the request in progress, closes idle connections at once, and exits with 0`, async () => {
      const latchkey = await startServing({ DATABASE_URL });
      const idle = await openIdleConnections(latchkey.origin);
      const request = await beginRequest(latchkey.origin);
      latchkey.child.kill(signal);
      await latchkey.said(/Stopping\./);
      await refusesConnections(latchkey.origin);
      // closed before the deadline, at which the request would be cut off as well
      await idle.closed;
      assert.match(await request.finish(), /^HTTP\/1.1 401 [\s\S]*"invalid_client"/);
      assert.equal(await latchkey.exit, 0);
    });
  }

  test('the server cuts off a request that does not end, within the usual ten seconds of grace, and exits with 0', async () => {
    const latchkey = await startServing({ DATABASE_URL });
    await beginRequest(latchkey.origin);
    latchkey.child.kill('SIGTERM');
    // the process exits with 1 if this took longer than 9.5 seconds
    assert.equal(await latchkey.exit, 0);
  });

  test('a second signal forces the exit, unless it is the duplicate of a Ctrl-C', async () => {
    const latchkey = await startServing({ DATABASE_URL });
    await beginRequest(latchkey.origin);
    latchkey.child.kill('SIGINT');
    latchkey.child.kill('SIGINT');
    await latchkey.said(/Stopping\./);
    await pause(1200);
    assert.equal(latchkey.child.exitCode, null);
    latchkey.child.kill('SIGINT');
    assert.equal(await latchkey.exit, 130);
  });
});

test('under load, SIGTERM lets accepted requests finish, and later requests on open connections are answered with Connection: close [F9]', async () => {
  // an idle connection is closed half a second after the delay, and a machine with too much to do may be late
  const latchkey = await startServing({ DATABASE_URL, DRAIN_DELAY: '2' });
  const faults: string[] = [];
  const lastAnswers: (string | undefined)[] = [];
  const client = async (_: unknown, index: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (;;) {
      const fault = await new Promise<string | undefined>((resolve) => {
        const sent = get(`${latchkey.origin}/readyz`, { agent });
        sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
        sent.on('response', (res) => {
          lastAnswers[index] = res.headers.connection;
          res.resume().on('end', () => resolve(undefined));
        });
      });
      if (fault) faults.push(fault);
      if (fault || lastAnswers[index] === 'close') return;
      await pause(50);
    }
  };
  const clients = Array.from({ length: 8 }, client);
  while (new Set(lastAnswers).has(undefined) || lastAnswers.length < clients.length) await pause(10);
  assert.deepEqual(new Set(lastAnswers), new Set(['keep-alive']));
  latchkey.child.kill('SIGTERM');
  await Promise.all(clients);
  assert.deepEqual(faults, []);
  assert.deepEqual(new Set(lastAnswers), new Set(['close']));
  assert.equal(await latchkey.exit, 0);
});

interface Ledger {
  tokens: unknown[];
  codes: string[];
  rotated: unknown[];
}

/** Records every success when its answer arrives; ends when the server no longer answers. */
async function keepBusy(origin: string, browser: Browser, ledger: Ledger): Promise<void> {
  try {
    for (;;) {
      const code = await obtainCode(browser, { scope: 'user:name' });
      const { status, body } = await redeem(origin, code);
      if (status === 200) ledger.codes.push(code);
      const refreshed = await refresh(origin, body['refresh_token']);
      if (refreshed.status === 200) {
        ledger.rotated.push(body['refresh_token']);
        ledger.tokens.push(refreshed.body['access_token']);
      }
    }
  } catch {}
}

test('kill -9 of the server, and then of Postgres as well, under traffic loses nothing that was answered [F10]', async () => {
  const env = { DATA_DIR: join(scratch, 'killed'), NODE_ENV: 'production', SEED_FILE: seedFile, REFRESH_GRACE: '0' };
  const PORT = String(await findFreePort());
  const ledger: Ledger = { tokens: [], codes: [], rotated: [] };
  for (const alsoPostgres of [false, true]) {
    const latchkey = await startServing({ ...env, PORT });
    const browser = await signedInBrowser(latchkey.origin);
    await obtainCode(browser, { scope: 'user:name' });
    const before = ledger.codes.length;
    const traffic = [1, 2, 3, 4].map(() => keepBusy(latchkey.origin, browser, ledger));
    while (ledger.codes.length < before + 20) await pause(10);
    latchkey.child.kill('SIGKILL');
    const pidFile = join(scratch, 'killed', 'postgres', 'data', 'postmaster.pid');
    if (alsoPostgres) process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGKILL');
    await Promise.all(traffic);
    assert.equal(await latchkey.exit, 'SIGKILL');
  }
  const latchkey = await startServing({ ...env, PORT });
  const all = <T>(things: T[], ask: (thing: T) => Promise<{ status: number }>) =>
    Promise.all(things.map(async (thing) => (await ask(thing)).status)).then((statuses) => new Set(statuses));
  assert.deepEqual(await all(ledger.tokens, (token) => getUser(latchkey.origin, token)), new Set([200]));
  assert.deepEqual(await all(ledger.rotated, (token) => refresh(latchkey.origin, token)), new Set([400]));
  assert.deepEqual(await all(ledger.codes, (code) => redeem(latchkey.origin, code)), new Set([400]));
  await latchkey.kill();
});

/** The output of a server that refuses to start, without a stack trace. */
async function refusal(env: Record<string, string>): Promise<string> {
  const latchkey = await startProcess(env);
  assert.equal(await latchkey.exit, 1);
  assert.doesNotMatch(latchkey.output(), /\n {4}at |Latchkey serves/);
  return latchkey.output();
}

test('a port in use is reported', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const said = await refusal({ DATABASE_URL, PORT: String(port) });
  assert.match(said, new RegExp(`^PORT ${port} on HOST 127.0.0.1 is in use`, 'm'));
  other.close();
});

test('a DATA_DIR that cannot be written is reported', async () => {
  const said = await refusal({ DATA_DIR: join(seedFile, 'data') });
  assert.match(said, /^DATA_DIR \S+ cannot be used \(ENOTDIR/m);
});

test('all configuration problems are reported together, without secrets, before anything is touched [A305]', async () => {
  const said = await refusal({
    DATA_DIR: join(scratch, 'untouched'),
    NODE_ENV: 'production',
    DEMO: 'true',
    PORT: '80000',
    ISSUER: 'http://id.example',
    SESSION_SECRET: 'tooshort',
    LOG_LEVEL: 'loud',
    SEED_FILE: join(scratch, 'no-such.sql'),
    DATABASE_URL: 'mysql://root:hunter2@localhost/db',
  });
  for (const name of ['DEMO', 'PORT', 'ISSUER', 'SESSION_SECRET', 'LOG_LEVEL', 'SEED_FILE', 'DATABASE_URL']) {
    assert.match(said, new RegExp(`^${name}: must`, 'm'));
  }
  assert.doesNotMatch(said, /tooshort|hunter2/);
  assert.ok(!existsSync(join(scratch, 'untouched')));
});

test('an invalid seed file is reported with its line and the reason, and nothing of it is applied', async () => {
  const bob = `select register_user(username => 'bob', password => 'a long password', email => 'bob@example.com');`;
  const SEED_FILE = writeFile('wrong.sql', `-- people\n${bob}\n\nselect register_client(\n  colour => 'red');\n`);
  const said = await refusal({ DATABASE_URL, SEED_FILE });
  assert.match(said, /^wrong\.sql, line 4: .*register_client/m);
  const database = openDatabase({ connectionString: DATABASE_URL }, 1);
  assert.deepEqual((await database.query('select username from users')).rows, []);
  await database.end();
});

test('a misspelt environment variable causes a warning [A308]', async () => {
  const latchkey = await startServing({ DATABASE_URL, SESION_SECRET: 'x' });
  assert.match(latchkey.output(), /SESION_SECRET is unknown: did you mean SESSION_SECRET\?/);
  await latchkey.kill();
});

test('the server survives when the reader of its output closes the pipe [F24 EPIPE]', async () => {
  const latchkey = await startServing({ DATABASE_URL });
  latchkey.child.stdout?.destroy();
  latchkey.child.stderr?.destroy();
  for (let request = 0; request < 10; request += 1) assert.equal(await status(`${latchkey.origin}/healthz`), 200);
  latchkey.child.kill('SIGTERM');
  assert.equal(await latchkey.exit, 0);
});

test('a reader that stops reading the output does not block the server, and the log backlog is bounded [F24]', async () => {
  // each warning has a line of 2 KB, and a MiB of lines is kept
  const flooded = join(scratch, 'flooded');
  const flood = `import { writeFileSync } from 'node:fs';
  process.on('SIGUSR2', () => {
    for (let line = 0; line < 2000; line += 1) process.emitWarning('x'.repeat(800));
    setTimeout(() => writeFileSync(${JSON.stringify(flooded)}, ''));
  })`;
  const latchkey = await startServing({ DATABASE_URL }, [
    '--import',
    `data:text/javascript,${encodeURIComponent(flood)}`,
  ]);
  latchkey.child.stdout?.pause();
  latchkey.child.kill('SIGUSR2');
  while (!existsSync(flooded)) await pause(10);
  assert.equal(await status(`${latchkey.origin}/healthz`), 200);
  latchkey.child.stdout?.resume();
  // the first line written afterwards reports the count of dropped lines
  const end = performance.now() + 60_000;
  while (!/"dropped":\d+/.test(latchkey.output()) && performance.now() < end) {
    await status(`${latchkey.origin}/healthz`);
  }
  assert.match(latchkey.output(), /"dropped":\d+/);
  await latchkey.kill();
});

test('after an unhandled rejection the server logs it, finishes requests in progress, and exits with 1 [F25]', async () => {
  const bomb = `process.on('SIGUSR2', () => Promise.reject(new Error('boom')))`;
  const latchkey = await startServing({ DATABASE_URL }, [
    '--import',
    `data:text/javascript,${encodeURIComponent(bomb)}`,
  ]);
  const request = await beginRequest(latchkey.origin);
  latchkey.child.kill('SIGUSR2');
  await latchkey.said(/"level":60.*boom/);
  assert.match(await request.finish(), /^HTTP\/1.1 401 /);
  assert.equal(await latchkey.exit, 1);
});
