import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createHashingQueue } from '../../src/grants/hashing-queue.ts';
import { OAuthError } from '../../src/protocol/errors.ts';

const isTooBusy = (error: unknown) =>
  error instanceof OAuthError && error.status === 503 && error.headers['Retry-After'] === '2';

test('sign-ins from unknown browsers cannot fill the queue for those from known browsers, which get every other slot', async () => {
  const queue = createHashingQueue(1);
  const order: string[] = [];
  const leave = await queue.enter(false);
  const hash = (isKnown: boolean) =>
    queue.enter(isKnown).then((leaveSlot) => {
      order.push(isKnown ? 'known' : 'stranger');
      leaveSlot();
    });
  const strangers = Array.from({ length: 20 }, () => hash(false).catch(() => order.push('refused')));
  const known = Array.from({ length: 2 }, () => hash(true));
  leave();
  await Promise.all([...strangers, ...known]);
  assert.equal(order.filter((who) => who === 'stranger').length, 8, 'as many as two seconds are enough for');
  assert.deepEqual(order.filter((who) => who !== 'refused').slice(0, 4), ['known', 'stranger', 'known', 'stranger']);
});

test('no sign-in waits longer than the queue’s time limit, and the next in line keeps its turn', async () => {
  const queue = createHashingQueue(1, 600);
  const leave = await queue.enter(false);
  const start = performance.now();
  await assert.rejects(queue.enter(false), isTooBusy);
  assert.ok(performance.now() - start >= 590);
  const next = queue.enter(true);
  leave();
  (await next)();
  (await queue.enter(false))();
});

test('a sign-in that could not be hashed within the queue’s time limit is refused at once', async () => {
  const queue = createHashingQueue(1, 200);
  await queue.enter(false);
  const start = performance.now();
  await assert.rejects(queue.enter(false), isTooBusy);
  assert.ok(performance.now() - start < 150);
});

test('several processes share the hashing slots of the machine; a process that dies returns its slot', async () => {
  const program = fileURLToPath(new URL('../support/hashing-workers.ts', import.meta.url));
  const child = fork(program, { execArgv: ['--import', 'tsx'] });
  const [{ most, hashed }] = await once(child, 'message');
  await once(child, 'exit');
  assert.deepEqual({ most, hashed }, { most: 2, hashed: 12 });
});
