import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { createDatabase } from '../support/database.ts';
import { startServing } from '../support/process.ts';

const { origin } = await startServing({ DATABASE_URL: await createDatabase() });

const open = async (): Promise<Socket> => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').setEncoding('latin1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
};

const head = (request: string, framing: string) =>
  `${request} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n${framing}\r\n\r\n`;

/** Sends and never ends; what was answered until the server closed, and after how many milliseconds it did. */
async function sendEndless(request: string, framing: string, chunk: string): Promise<{ text: string; ms: number }> {
  const socket = await open();
  let text = '';
  socket.on('data', (data) => (text += data));
  const start = Date.now();
  socket.write(head(request, framing));
  const timer = setInterval(() => socket.write(chunk), 20);
  const late = setTimeout(() => socket.destroy(), 90_000);
  // not by once(): it would reject when the connection ends by a reset, which is an end as good as any
  await new Promise((closed) => socket.on('close', closed));
  clearInterval(timer);
  clearTimeout(late);
  return { text, ms: Date.now() - start };
}

const chunked = ['Transfer-Encoding: chunked', `400\r\n${'x'.repeat(1024)}\r\n`] as const;

for (const [title, status, request, framing, chunk] of [
  ['exceeds the limit by its Content-Length', 413, 'POST /token', 'Content-Length: 100000000', 'x'],
  ['exceeds the limit in chunks', 413, 'POST /token', ...chunked],
  ['arrives with an unsupported method', 405, 'POST /healthz', ...chunked],
  ['arrives with a GET', 200, 'GET /healthz', ...chunked],
  ['arrives at an unknown address', 404, 'POST /nowhere', ...chunked],
] as const) {
  test(`a body that never ends and ${title} is answered, and its connection is closed soon`, async () => {
    const { text, ms } = await sendEndless(request, framing, chunk);
    assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `));
    // after a second, on a busy machine later
    assert.ok(ms < 60_000, `${ms} ms`);
  });
}

test('a refused body that ends in time leaves its connection open for the next request', async () => {
  const socket = await open();
  let text = '';
  socket.on('data', (data) => (text += data));
  const answered = async (count: number) => {
    while (text.split('HTTP/1.1 ').length <= count) await once(socket, 'data');
  };
  socket.write(head('POST /token', 'Content-Length: 20000'));
  await answered(1);
  assert.match(text, /^HTTP\/1\.1 413 /);
  socket.write('x'.repeat(20_000));
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await answered(2);
  assert.match(text, /HTTP\/1\.1 200 /);
  socket.destroy();
});
