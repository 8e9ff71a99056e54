// ci: starts, stops and kills processes
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { createApp } from '../../src/app.ts';
import { admission } from '../../src/operations/admission.ts';
import { watchConnections } from '../../src/operations/draining.ts';
import { oneAtATime } from '../../src/operations/pipelining.ts';
import { addressesIn } from '../../src/web/request-log.ts';
import { createCertificate } from '../support/certificate.ts';
import { createDatabase } from '../support/database.ts';
import { startLatchkey } from '../support/latchkey.ts';
import { startServing } from '../support/process.ts';

async function listenWith(
  listener: RequestListener,
  server: Server | TlsServer = createServer(),
): Promise<{ port: number; server: Server | TlsServer }> {
  server.on('request', listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, server };
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  after(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: here\r\n${headers}\r\n`;
const answer: RequestListener = (req, res) => res.setHeader('Content-Length', 2).end(req.url === '/last' ? 'no' : 'ok');

/** All that is received until this text. */
async function receive(socket: Socket, end: string): Promise<string> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.includes(end)) break;
  }
  return text;
}

for (const isSecure of [false, true]) {
  const title =
    'requests that a client sends without waiting are served one after the other, and all are answered in order';
  test(`${title}${isSecure ? ', with TLS' : ''}`, async () => {
    let [underWay, most] = [0, 0];
    const paths: string[] = [];
    const listener = oneAtATime(async (req, res) => {
      underWay += 1;
      most = Math.max(most, underWay);
      paths.push(req.url ?? '');
      for await (const _chunk of req);
      await turn();
      underWay -= 1;
      answer(req, res);
    });
    const { TLS_CERT_FILE, TLS_KEY_FILE } = createCertificate();
    const files = { cert: readFileSync(TLS_CERT_FILE), key: readFileSync(TLS_KEY_FILE) };
    const { port } = await listenWith(listener, isSecure ? createTlsServer(files) : createServer());
    const socket = isSecure ? connectTls({ port, host: 'localhost', ca: files.cert }) : await open(port);
    after(() => socket.destroy());
    const wanted = Array.from({ length: 2000 }, (_, at) => `/${at}`);
    const post = (path: string) => `POST ${path} HTTP/1.1\r\nHost: here\r\nContent-Length: 3\r\n\r\na=b`;
    socket.write([...wanted.map((path, at) => (at % 3 === 0 ? post(path) : get(path))), get('/last')].join(''));
    const text = await receive(socket, '\r\n\r\nno');
    assert.equal(most, 1);
    assert.deepEqual(paths, [...wanted, '/last']);
    assert.equal(text.match(/HTTP\/1\.1 200/g)?.length, paths.length);
  });
}

for (const path of ['/', '/readyz']) {
  test(`seven megabytes of requests for ${path} on one connection delay nobody, and do not end a process with a heap of 96 MiB`, async () => {
    const { origin, exit } = await startServing({ DATABASE_URL: await createDatabase() }, ['--max-old-space-size=96']);
    const socket = await open(Number(new URL(origin).port));
    let received = 0;
    socket.on('data', ({ length }) => (received += length));
    socket.write(get(path).repeat(200_000));
    const ended = exit.then((code) => assert.fail(`the process ended: ${code}`));
    const status = async (asked: string) =>
      (await Promise.race([fetch(origin + asked, { headers: { connection: 'close' } }), ended])).status;
    for (let count = 0; count < 10; count += 1) {
      assert.deepEqual([await status('/user'), await status('/readyz'), await status('/healthz')], [401, 200, 200]);
    }
    assert.ok(received > 0);
  });
}

test('connections with more requests than the server keeps in all are closed, and others are served [9112 §9.3.2]', async () => {
  const unanswered: RequestListener = (req, res) => (req.url === '/never' ? undefined : answer(req, res));
  const { port, server } = await listenWith(oneAtATime(unanswered));
  const sockets = await Promise.all(Array.from({ length: 60 }, () => open(port)));
  let closed = 0;
  for (const socket of sockets) socket.on('close', () => (closed += 1)).write(get('/never').repeat(200));
  while (closed < 35) await turn();
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200);
  assert.equal(closed, 35, '25 times 199 wait behind the first of each connection');
  // what waited is forgotten with its connection
  server.closeAllConnections();
  while (closed < sockets.length) await turn();
  const next = await open(port);
  next.write(get('/').repeat(3000) + get('/last'));
  assert.match(await receive(next, '\r\n\r\nno'), /no$/);
});

for (const isSecure of [false, true]) {
  test(`what waits on a connection is not begun after its end${isSecure ? ', with TLS' : ''}`, async () => {
    let started = 0;
    const large = Buffer.alloc(2 ** 20);
    const listener = oneAtATime((_req, res) => {
      started += 1;
      res.setHeader('Content-Length', large.length).end(large);
    });
    const { TLS_CERT_FILE, TLS_KEY_FILE } = createCertificate();
    const files = { cert: readFileSync(TLS_CERT_FILE), key: readFileSync(TLS_KEY_FILE) };
    const { port, server } = await listenWith(listener, isSecure ? createTlsServer(files) : createServer());
    const socket = isSecure ? connectTls({ port, host: 'localhost', ca: files.cert }) : await open(port);
    after(() => socket.destroy());
    const closed = once(
      socket.on('error', () => {}),
      'close',
    );
    // never read, so that at last an answer waits for the client
    socket.pause().write(get('/').repeat(100));
    for (let before = -1; started === 0 || started !== before; ) {
      before = started;
      await pause(300);
    }
    const before = started;
    assert.ok(before < 100, `${before} answers were sent`);
    server.closeAllConnections();
    socket.resume();
    await closed;
    await pause(50);
    assert.equal(started, before);
  });
}

/** A server that can stand still, behind the proxy on this machine; and in which order it started the requests of which address. */
async function startBehindProxy() {
  const { deps } = await startLatchkey({ TRUST_PROXY: 'loopback' });
  const addressOf = addressesIn(createApp(deps));
  const started: string[] = [];
  const memory = new Int32Array(new SharedArrayBuffer(4));
  const app: RequestListener = (req, res) => {
    // all others arrive meanwhile
    if (req.url === '/pause') Atomics.wait(memory, 0, 0, 500);
    else started.push(addressOf(req));
    answer(req, res);
  };
  const server = createServer({ keepAliveTimeout: 65_000 }).listen(0, '127.0.0.1');
  const connections = watchConnections(server, 'connection');
  server.on('request', oneAtATime(admission(deps, connections, { app, addressOf })));
  await once(server, 'listening');
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, started, connections };
}

const from = (address: string) => `X-Forwarded-For: ${address}\r\n`;

test('networks take turns: a request waits behind one of each other network, however many connections that has', async () => {
  const { port, started, connections } = await startBehindProxy();
  const flood = await Promise.all(Array.from({ length: 1000 }, () => open(port)));
  const [pausing, honest] = [await open(port), await open(port)];
  // a client is connected before the server has accepted it, one in each turn of its event loop
  while (connections.accepted < flood.length + 2) await turn();
  pausing.write(get('/pause'));
  for (const [at, socket] of flood.entries()) socket.write(get('/', from(`192.0.2.${at % 200}:4711`)));
  honest.write(get('/last', from('2001:db8::1')));
  await receive(honest, '\r\n\r\nno');
  const before = started.indexOf('2001:db8::1');
  assert.ok(before >= 0 && before < 400, `${before} of ${flood.length} came first`);
  while (started.length <= flood.length) await turn();
});
