import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createLogTo } from '../../src/operations/log.ts';
import { createDatabase } from '../support/database.ts';
import { printer, startWithPrinter } from '../support/latchkey.ts';
import { startServing } from '../support/process.ts';
import { refusalStored } from '../support/refusals.ts';

const maxBytes = 4096;

function logged(...entries: object[]): Record<string, unknown>[] {
  const lines: string[] = [];
  const log = createLogTo({ write: (line: string) => void lines.push(line) }, 'info');
  for (const entry of entries) log.warn(entry, 'request');
  for (const line of lines) assert.ok(Buffer.byteLength(line) <= maxBytes && line.endsWith('}\n'), line);
  return lines.map((line) => JSON.parse(line));
}

test('a line that is too long keeps all its members, with their texts cut', () => {
  const client_id = 'x'.repeat(15_360);
  const [line] = logged({ request_id: 'a1', status: 400, path: '/authorize', client_id, error: 'invalid_client' });
  const { request_id, status, path, client_id: cut, error } = line ?? {};
  assert.deepEqual([request_id, status, path, error], ['a1', 400, '/authorize', 'invalid_client']);
  assert.ok(String(cut).length >= 100 && client_id.startsWith(String(cut)));
});

test('no text makes a line too long: not in an error, not of other alphabets, not of control characters, not many of them', () => {
  const err = Object.assign(new Error('x'.repeat(20_000)), {
    detail: 'y'.repeat(20_000),
    cause: new Error('z'.repeat(9000)),
  });
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`member${index}`, 'x'.repeat(50)]));
  const lines = logged(
    { err },
    { path: '漢'.repeat(16_000) },
    { path: '\u0001'.repeat(16_000), reason: '\u{1F511}'.repeat(8000) },
    { list: Array<string>(9000).fill('x') },
    { request_id: 'a1', ...many },
  );
  assert.equal(lines.length, 5);
  assert.match(JSON.stringify(lines[0]), /"type":"Error"/);
  assert.equal(lines[4]?.['request_id'], 'a1');
  for (const line of lines) assert.equal(line['msg'], 'request');
});

test('a client_id of 15,000 characters makes a short line and no row among the refusals', async () => {
  const { origin, logged: lines, database } = await startWithPrinter();
  const client_id = 'x'.repeat(15_000);
  const answer = await fetch(`${origin}/authorize?client_id=${client_id}`);
  await fetch(`${origin}/token`, { method: 'POST', body: new URLSearchParams({ client_id, grant_type: 'password' }) });
  assert.equal(answer.status, 400);
  // a refusal that has a row; rows are stored in the order of the requests
  const later = await fetch(`${origin}/authorize?client_id=${printer.client_id}&redirect_uri=x`);
  await refusalStored(database, later.headers.get('x-request-id') ?? '');
  while (lines.filter((line) => line.includes('"status":')).length < 3) await pause(5);
  assert.ok(Math.max(...lines.map((line) => line.length)) < 1000);
  assert.equal((await database.query('select from refusals')).rowCount, 1);
});

test('a warning of Node about the address of a request is a line of the log, and no longer than any other', async () => {
  const { origin, output, said } = await startServing({ DATABASE_URL: await createDatabase() });
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.write(`GET http://${':'.repeat(9000)}/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  socket.resume();
  await once(socket, 'close');
  await said(/a warning of Node[\s\S]*"msg":"request"|"msg":"request"[\s\S]*a warning of Node/);
  for (const line of output().trim().split('\n')) assert.ok(Buffer.byteLength(line) < maxBytes, line);
});
