import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createHashingQueue } from '../../src/grants/hashing-queue.ts';
import { OAuthError } from '../../src/protocol/errors.ts';

const isTooBusy = (error: unknown) =>
  error instanceof OAuthError && error.status === 503 && error.headers['Retry-After'] === '2';

test('strangers cannot fill the queue for known browsers, who get every other slot', async () => {
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

test('nobody waits longer than the queue allows, whatever it expected; the next in turn is not skipped', async () => {
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

test('whom the time would not be enough for is told at once', async () => {
  const queue = createHashingQueue(1, 200);
  await queue.enter(false);
  const start = performance.now();
  await assert.rejects(queue.enter(false), isTooBusy);
  assert.ok(performance.now() - start < 150);
});

test('several processes share the slots of the machine; one that dies gives its own back', async () => {
  const program = fileURLToPath(new URL('../support/hashing-workers.ts', import.meta.url));
  const child = fork(program, { execArgv: ['--import', 'tsx'] });
  const [{ most, hashed }] = await once(child, 'message');
  await once(child, 'exit');
  assert.deepEqual({ most, hashed }, { most: 2, hashed: 12 });
});
