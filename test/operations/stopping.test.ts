// ci: starts, stops and kills processes
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { createCertificate, noOpenssl } from '../support/certificate.ts';
import { createDatabase } from '../support/database.ts';
import { findFreePort } from '../support/free-port.ts';
import { startServing } from '../support/process.ts';

const DATABASE_URL = await createDatabase();

const ok = 'HTTP/1.1 200 OK';
const unavailable = 'HTTP/1.1 503 Service Unavailable';

/** The status line of the answer to one request on its own connection, or the reason why there is none. */
function ask(open: () => Socket, path: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = open();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    socket.on('data', (chunk) => (answer += chunk));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'an error'));
    socket.on('close', () => resolve(answer.split('\r\n')[0] || 'closed without an answer'));
  });
}

const count = (outcomes: string[]) =>
  Object.fromEntries([...new Set(outcomes)].map((one) => [one, outcomes.filter((other) => other === one).length]));

/** Opens connections while the process is suspended, so that they wait in the kernel's queue when SIGTERM arrives. */
async function stopBeforeAccepting(pid: number, many: number, openOne: () => Socket): Promise<Record<string, number>> {
  process.kill(pid, 'SIGSTOP');
  const connected: Promise<unknown>[] = [];
  const open = () => {
    const socket = openOne();
    connected.push(once(socket, 'connect'));
    return socket;
  };
  const outcomes = Array.from({ length: many }, () => ask(open, '/healthz'));
  await Promise.all(connected);
  process.kill(pid, 'SIGTERM');
  process.kill(pid, 'SIGCONT');
  return count(await Promise.all(outcomes));
}

describe('on SIGTERM, connections that wait to be accepted are answered and none is reset', () => {
  for (const env of [{}, { WEB_CONCURRENCY: '2' }, { DRAIN_DELAY: '1' }]) {
    test(JSON.stringify(env), async () => {
      const { child, origin, exit } = await startServing({ DATABASE_URL, ...env });
      const port = Number(new URL(origin).port);
      const outcomes = await stopBeforeAccepting(child.pid ?? 0, 150, () => connect(port, '127.0.0.1'));
      assert.deepEqual(outcomes, { [ok]: 150 });
      assert.equal(await exit, 0);
    });
  }

  test('with TLS', { skip: noOpenssl }, async () => {
    const PORT = await findFreePort();
    const files = createCertificate();
    const env = { DATABASE_URL, ...files, PORT: String(PORT), ISSUER: `https://localhost:${PORT}` };
    const { child, exit } = await startServing(env);
    const ca = readFileSync(files.TLS_CERT_FILE);
    const open = () => connectTls({ socket: connect(PORT, '127.0.0.1'), ca, servername: 'localhost' });
    assert.deepEqual(await stopBeforeAccepting(child.pid ?? 0, 30, open), { [ok]: 30 });
    assert.equal(await exit, 0);
  });
});

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const outcome = await once(socket, 'connect').then(
    () => 'connected',
    ({ code }) => code,
  );
  socket.destroy();
  return outcome !== 'ECONNREFUSED';
}

describe('after SIGTERM', { concurrency: true }, () => {
  for (const env of [{ DRAIN_DELAY: '' }, { DRAIN_DELAY: '', WEB_CONCURRENCY: '2' }]) {
    test(`/readyz answers 503 at once while new connections are accepted for DRAIN_DELAY: ${JSON.stringify(env)}`, async () => {
      const { child, origin, exit, said } = await startServing({ DATABASE_URL, ...env });
      const port = Number(new URL(origin).port);
      // before the signal, so that the delay is not over sooner than this clock says
      const told = performance.now();
      let connectedAfter = 0;
      let answersInTime = 0;
      const open = () =>
        connect(port, '127.0.0.1', () => {
          connectedAfter = performance.now() - told;
        });
      const askNow = (path: string) => ask(open, path);
      child.kill('SIGTERM');
      await said(/Stopping\./);
      while ((await askNow('/readyz')) === ok) await pause(5);
      while (performance.now() - told < 1500) {
        for (const [path, expected] of [
          ['/readyz', unavailable],
          ['/healthz', ok],
        ] as const) {
          const outcome = await askNow(path);
          // a machine with too much to do may have connected too late
          if (connectedAfter >= 2000) continue;
          assert.equal(outcome, expected, path);
          answersInTime += 1;
        }
        await pause(10);
      }
      assert.ok(answersInTime > 0, 'no answer came in time, so nothing was shown');
      while (await isListening(port)) await pause(10);
      assert.ok(performance.now() - told > 2000);
      assert.equal(await exit, 0);
      assert.ok(performance.now() - told < 10_000);
    });
  }
});

/** Sends each new connection to an instance whose /readyz answered 200 at the last check. */
async function startBalancer(ports: readonly number[]): Promise<{ port: number; ready: Set<number>; close(): void }> {
  const ready = new Set<number>();
  let turn = 0;
  const server = createServer((near) => {
    const candidates = [...ready];
    const port = candidates[turn++ % candidates.length];
    const far = connect(port ?? 9, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.resetAndDestroy());
    }
  });
  let closed = false;
  const check = async (port: number) => {
    while (!closed) {
      const outcome = await ask(() => connect(port, '127.0.0.1'), '/readyz');
      ready[outcome === ok ? 'add' : 'delete'](port);
      await pause(50);
    }
  };
  for (const port of ports) void check(port);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    closed = true;
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, ready, close };
}

test('replacing two instances behind a load balancer one after the other fails no request', async () => {
  const ports = [await findFreePort(), await findFreePort()];
  // the balancer, which checks every 50 milliseconds, notices within this time also on a machine with too much to do
  const DRAIN_DELAY = '4';
  const start = (port: number) =>
    startServing({ DATABASE_URL, PORT: String(port), ISSUER: `http://127.0.0.1:${port}`, DRAIN_DELAY });
  const instances = new Map(await Promise.all(ports.map(async (port) => [port, await start(port)] as const)));
  const { port, ready, close } = await startBalancer(ports);
  const isReady = async (one: number) => {
    while (!ready.has(one)) await pause(10);
  };
  await Promise.all(ports.map(isReady));
  const outcomes: string[] = [];
  let done = false;
  const clients = Array.from({ length: 8 }, async () => {
    while (!done) {
      outcomes.push(await ask(() => connect(port, '127.0.0.1'), '/healthz'));
      await pause(20);
    }
  });
  for (const one of ports) {
    const old = instances.get(one);
    old?.child.kill('SIGTERM');
    assert.equal(await old?.exit, 0);
    instances.set(one, await start(one));
    ready.delete(one);
    await isReady(one);
  }
  done = true;
  await Promise.all(clients);
  close();
  await Promise.all([...instances.values()].map((instance) => instance.kill()));
  assert.deepEqual(Object.keys(count(outcomes)), [ok]);
});

test('a starting process accepts no connection before it can answer', async () => {
  const port = await findFreePort();
  const env = { DATABASE_URL, PORT: String(port), ISSUER: `http://127.0.0.1:${port}` };
  const starting = startServing(env);
  let started = false;
  void starting.then(() => (started = true));
  const outcomes: string[] = [];
  while (!started) {
    outcomes.push(...(await Promise.all([1, 2, 3].map(() => ask(() => connect(port, '127.0.0.1'), '/healthz')))));
    await pause(5);
  }
  await (await starting).kill();
  assert.deepEqual(
    Object.keys(count(outcomes)).filter((outcome) => outcome !== ok),
    ['ECONNREFUSED'],
  );
});
