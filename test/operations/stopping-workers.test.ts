// ci: starts, stops and kills processes
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../src/postgres/database.ts';
import { Browser, formRequest } from '../support/browser.ts';
import { createDatabase } from '../support/database.ts';
import { seed, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';

const DATABASE_URL = await createDatabase();
const database = openDatabase({ connectionString: DATABASE_URL }, 1);
after(() => database.end());
const SEED_FILE = writeFile('stopping-workers.sql', seed);

/** Resolves with what is received until the connection ends. */
function received(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  return new Promise((resolve) => {
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'an error'));
    socket.on('close', () => resolve(text || 'closed without an answer'));
  });
}

const statusLine = (answer: string) => answer.split('\r\n')[0];

test('workers that drain wait for the connections that their primary process has not accepted yet [F47]', async () => {
  const server = await startServing({ DATABASE_URL, WEB_CONCURRENCY: '2', DRAIN_DELAY: '2' });
  const port = Number(new URL(server.origin).port);
  const pid = server.child.pid ?? 0;
  const told = performance.now();
  process.kill(pid, 'SIGTERM');
  while ((await fetch(`${server.origin}/readyz`, { headers: { connection: 'close' } })).status === 200) await pause(5);
  // the primary process, which accepts for all, gets no turn, as on a machine with too much to do
  process.kill(pid, 'SIGSTOP');
  const sockets = Array.from({ length: 30 }, () => connect(port, '127.0.0.1'));
  const answers = sockets.map(async (socket) => ({ answer: await received(socket), ms: performance.now() - told }));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  // until the delay is over and the workers see that nobody comes
  await pause(told + 2500 - performance.now());
  process.kill(pid, 'SIGCONT');
  // after the delay they wait three and a half seconds for it, which may not be enough where there is far too much to do
  const inTime = (await Promise.all(answers)).filter(({ ms }) => ms < 5500);
  assert.ok(inTime.length > 0, 'no answer came in time, so nothing was shown');
  assert.deepEqual(
    inTime.filter(({ answer }) => statusLine(answer) !== 'HTTP/1.1 200 OK'),
    [],
  );
  assert.equal(await server.exit, 0);
});

for (const DRAIN_DELAY of ['0', '5']) {
  test(`four workers that stop after ${DRAIN_DELAY} seconds answer a body that is half sent and a password that is being hashed [F47]`, async () => {
    const server = await startServing({ DATABASE_URL, SEED_FILE, WEB_CONCURRENCY: '4', DRAIN_DELAY });
    const browser = new Browser(server.origin);
    const login = await browser.visit('/login');
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
    const answer = received(socket);
    const body = 'grant_type=refresh_token&refresh_token=x&client_id=nobody';
    const head = `POST /token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nExpect: 100-continue`;
    socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`);
    await once(socket, 'data');
    const username = `nobody-${DRAIN_DELAY}`;
    const page = browser.open(...formRequest(login, 'id="login"', { username, password: 'wrong' }));
    // an attempt is counted before its password is hashed
    const key = createHash('sha256').update(`sign-in account name ${username}`).digest('base64url');
    while ((await database.query('select from attempts where key = $1', [key])).rowCount === 0) await pause(5);
    const told = performance.now();
    server.child.kill('SIGTERM');
    await server.said(/Stopping\./);
    socket.write(body.slice(20));
    assert.match((await page).text, /id="problem"/);
    assert.match(await answer, /HTTP\/1.1 401 [\s\S]*"invalid_client"/);
    assert.equal(await server.exit, 0);
    assert.ok(performance.now() - told < (Number(DRAIN_DELAY) + 10) * 1000);
  });
}
