import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, describe, test } from 'node:test';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { serveHttp } from '../../src/operations/http-server.ts';
import { serviceOf } from '../../src/web/served-app.ts';
import { contentTypeOf, routesOf } from '../fuzz/routes.ts';
import { sendRaw } from '../support/attack.ts';
import { authorizationQuery } from '../support/flow.ts';
import { findFreePort } from '../support/free-port.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const latchkey = await startLatchkey();
await registerPeople(latchkey.database);
await registerPrinter(latchkey.database);

/** The product on the very server that it runs on, with its limits and its patience. */
const port = await findFreePort();
const origin = `http://127.0.0.1:${port}`;
const config = loadConfig({
  DATABASE_URL: latchkey.url,
  PORT: String(port),
  HOST: '127.0.0.1',
  ISSUER: origin,
  REGISTRATION_ENDPOINT: 'open',
});
const deps = { ...latchkey.deps, config };
const app = createApp(deps);
const server = await serveHttp(deps, serviceOf(app));
after(() => server.drain());

const host = `Host: 127.0.0.1:${port}\r\n`;
const alive = async () => assert.equal((await fetch(`${origin}/healthz`)).status, 200);
const answers = (text: string) => [...text.matchAll(/HTTP\/1\.1 \d+/g)].length;

test('a request line or headers beyond 16 KiB get 431 and a closed connection, and the next request is served [A1] [A2]', async () => {
  for (const bytes of [
    `GET /authorize?state=${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
    `GET /user HTTP/1.1\r\n${host}Cookie: ${'x'.repeat(20_000)}\r\n\r\n`,
    `GET /user HTTP/1.1\r\n${host}${'X-i: 1234567890\r\n'.repeat(3000)}\r\n`,
  ]) {
    const { status, closed } = await sendRaw(origin, bytes);
    assert.deepEqual([status, closed], [431, true]);
    await alive();
  }
});

const smuggled = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
for (const [title, bytes] of [
  [
    'Content-Length and chunks',
    `POST /token HTTP/1.1\r\n${host}${form}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  ['two lengths', `POST /token HTTP/1.1\r\n${host}${form}Content-Length: 0\r\nContent-Length: 30\r\n\r\n${smuggled}`],
  ['a list of lengths', `POST /token HTTP/1.1\r\n${host}${form}Content-Length: 0, 30\r\n\r\n${smuggled}`],
  ['a signed length', `POST /token HTTP/1.1\r\n${host}${form}Content-Length: +0\r\n\r\n${smuggled}`],
  [
    'a space before the colon',
    `POST /token HTTP/1.1\r\n${host}${form}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'an unknown transfer coding',
    `POST /token HTTP/1.1\r\n${host}${form}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'chunked not last',
    `POST /token HTTP/1.1\r\n${host}${form}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  ['bare LF line ends', `POST /token HTTP/1.1\n${host.replace('\r', '')}Content-Length: 0\n\n${smuggled}`],
  ['a folded header', `GET /healthz HTTP/1.1\r\n${host}X: a\r\n Transfer-Encoding: chunked\r\n\r\n${smuggled}`],
  [
    'a negative chunk size',
    `POST /token HTTP/1.1\r\n${host}${form}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n${smuggled}`,
  ],
] as const) {
  test(`request smuggling by ${title} gets one refusal and a closed connection, never two answers [A7]`, async () => {
    const { text, closed } = await sendRaw(origin, bytes);
    assert.match(text, /^HTTP\/1\.1 400 /);
    assert.deepEqual([answers(text), closed], [1, true]);
  });
}

test('what is no HTTP is refused after the answers to the requests before it [9112 §9.3.2]', async () => {
  const get = (path: string) => `GET ${path} HTTP/1.1\r\n${host}\r\n`;
  const post = `POST /introspect HTTP/1.1\r\n${host}${form}Content-Length: 7\r\n\r\ntoken=x`;
  const late = `POST /token HTTP/1.1\r\n${host}${form}Transfer-Encoding: chunked\r\n\r\n-1\r\n`;
  for (const [bytes, expected] of [
    [`${get('/authorize')}GET / HTTP/9.9\r\n\r\n`, [400, 400]],
    [`${get('/no-such-page')}${post}${get('/no-such-page')}SSH-2.0-x\r\n\r\n${get('/healthz')}`, [404, 401, 404, 400]],
    [`${get('/no-such-page')}${get('/no-such-page')}${late}`, [404, 404, 400]],
    [`${get('/no-such-page')}GET /user HTTP/1.1\r\n${host}Cookie: ${'x'.repeat(20_000)}\r\n\r\n`, [404, 431]],
  ] as const) {
    const { text, closed } = await sendRaw(origin, bytes);
    assert.deepEqual(
      [[...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)), closed],
      [expected, true],
    );
    assert.match(text.slice(0, text.indexOf('\r\n\r\n')), /x-request-id/i, 'the first is an answer of this server');
  }
  await alive();
});

test('two Authorization headers get 400 at every address, in JSON where programs call [6750 §2]', async () => {
  const routes = routesOf(app);
  assert.ok(routes.length > 40);
  for (const { path, methods } of [...routes, { path: '/no-such-address', methods: ['get'] }]) {
    const [method = ''] = methods;
    const target = path.replace(/:\w+/g, 'x');
    const ask = (repeated: string) =>
      sendRaw(origin, `${method.toUpperCase()} ${target} HTTP/1.1\r\n${host}Connection: close\r\n${repeated}\r\n`);
    const { status, text } = await ask('Authorization: Basic eDp5\r\nauthorization: Basic eDp5\r\n');
    assert.equal(status, 400, path);
    assert.match(text, /there is more than one authorization header/, path);
    assert.match(/\r\ncontent-type: (.*)\r\n/i.exec(text)?.[1] ?? '', contentTypeOf(path), path);
    assert.doesNotMatch((await ask('Authorization: Basic eDp5\r\n')).text, /more than one/, path);
  }
});

test('two Host headers, or none, get 400 [A8]', async () => {
  const two = await sendRaw(origin, `GET /healthz HTTP/1.1\r\n${host}Host: evil.example\r\nConnection: close\r\n\r\n`);
  assert.equal(two.status, 400);
  assert.doesNotMatch(two.text, /evil\.example/);
  assert.equal((await sendRaw(origin, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')).status, 400);
});

test('an absolute request target is served as our own, and its host is not reflected [A16]', async () => {
  for (const target of [
    `http://evil.example/authorize?${authorizationQuery()}`,
    'http://evil.example/login',
    'http://evil.example/.well-known/oauth-authorization-server',
    'http://evil.example/nowhere',
    'http://user@evil.example:99999/login',
    'evil.example/login',
    '//evil.example/login',
  ]) {
    const lines = `GET ${target} HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n`;
    const { text, status } = await sendRaw(origin, lines);
    assert.ok(status >= 200 && status < 500, `${target}: ${status}`);
    assert.doesNotMatch(text, /evil\.example/, target);
  }
});

test('bytes that are not HTTP get 400 and a closed connection', async () => {
  for (const bytes of [
    '\x16\x03\x01\x02\x00\x01',
    'SSH-2.0-x\r\n',
    'G\0T / HTTP/1.1\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
  ]) {
    const { closed, text } = await sendRaw(origin, bytes);
    assert.ok(closed && (text === '' || /^HTTP\/1\.1 (400|505)/.test(text)), JSON.stringify([bytes, text]));
  }
  await alive();
});

test('unusual methods, CONNECT, upgrades and unknown expectations are refused or ignored [A17]', async () => {
  for (const [lines, expected] of [
    [`TRACE /token HTTP/1.1\r\n${host}X-Secret: s\r\n`, [405]],
    [`BREW /token HTTP/1.1\r\n${host}`, [400]],
    [`CONNECT evil.example:443 HTTP/1.1\r\n${host}`, [0, 400, 404, 405]],
    [`GET /healthz HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: Upgrade, close\r\n`, [200]],
    [`GET /healthz HTTP/1.1\r\n${host}Expect: something\r\n`, [417]],
  ] as const) {
    const { status, text } = await sendRaw(origin, `${lines}Connection: close\r\n\r\n`);
    assert.ok((expected as readonly number[]).includes(status), `${lines}: ${status}`);
    assert.doesNotMatch(text, /X-Secret/i);
  }
});

describe('patience', { concurrency: true }, () => {
  /** Milliseconds until the server closed the connection, after ten to twelve seconds; on a busy machine later. */
  const slow = (bytes: string): Promise<number> => {
    const start = performance.now();
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(bytes);
    socket.resume();
    return new Promise((resolve) => socket.on('close', () => resolve(performance.now() - start)));
  };

  test('headers that arrive one byte at a time are cut off, and other requests do not wait meanwhile [A5]', async () => {
    let isAnyOver = false;
    const ends = Array.from({ length: 200 }, () => slow('GET /user HTTP/1.1\r\nX').finally(() => (isAnyOver = true)));
    await alive();
    assert.ok(!isAnyOver, 'answered while they are all open');
    for (const ms of await Promise.all(ends)) assert.ok(ms > 8000 && ms < 60_000, `${ms} ms`);
  });

  test('connections that send nothing, or announce a body and send none, are closed [A40]', async () => {
    const silent = Array.from({ length: 100 }, () => slow(''));
    const announced = slow(`POST /token HTTP/1.1\r\n${host}${form}Content-Length: 10\r\nExpect: 100-continue\r\n`);
    for (const ms of await Promise.all([...silent, announced])) assert.ok(ms < 60_000, `${ms} ms`);
  });
});
