import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createHashingQueue, memoryOfMachine } from '../../src/identity/hashing-queue.ts';
import { hashingTooFast } from '../../src/identity/password-hashing.ts';
import { OAuthError } from '../../src/lib/errors.ts';

const stranger = { isKnown: false, prefix: '192.0.2.0/24' };

const isTooBusy = (error: unknown) =>
  error instanceof OAuthError && error.status === 503 && error.headers['Retry-After'] === '2';

test('sign-ins from unknown browsers cannot fill the queue for those from known browsers, which get every other slot', async () => {
  const queue = createHashingQueue(1);
  const order: string[] = [];
  const leave = await queue.enter(stranger);
  const hash = (isKnown: boolean) =>
    queue.enter({ ...stranger, isKnown }).then((leaveSlot) => {
      order.push(isKnown ? 'known' : 'stranger');
      leaveSlot();
    });
  const strangers = Array.from({ length: 50 }, () => hash(false).catch(() => order.push('refused')));
  const known = Array.from({ length: 2 }, () => hash(true));
  leave();
  await Promise.all([...strangers, ...known]);
  assert.equal(order.filter((who) => who === 'stranger').length, 20, 'as many as five seconds are enough for');
  assert.deepEqual(order.filter((who) => who !== 'refused').slice(0, 4), ['known', 'stranger', 'known', 'stranger']);
});

test('no sign-in waits longer than the queue’s time limit, and the next in line keeps its turn', async () => {
  const queue = createHashingQueue(1, 600);
  const leave = await queue.enter(stranger);
  const start = performance.now();
  await assert.rejects(queue.enter(stranger), isTooBusy);
  assert.ok(performance.now() - start >= 590);
  const next = queue.enter({ ...stranger, isKnown: true });
  leave();
  (await next)();
  (await queue.enter(stranger))();
});

test('a sign-in that could not be hashed within the queue’s time limit is refused at once', async () => {
  const queue = createHashingQueue(1, 200);
  await queue.enter(stranger);
  const first = assert.rejects(queue.enter(stranger), isTooBusy);
  const refused = await Promise.race([queue.enter(stranger).catch((error) => error), first]);
  assert.ok(isTooBusy(refused), 'before the first has waited for its time');
  await first;
});

test('the first in line waits for its slot where a hash takes longer than the queue’s time limit', async () => {
  const queue = createHashingQueue(1, 200);
  const leave = await queue.enter(stranger);
  const first = queue.enter(stranger);
  leave();
  (await first)();
});

test('three people who sign in at once are served, also where a hash takes more than a second', async ({ mock }) => {
  let clock = performance.now();
  mock.method(performance, 'now', () => clock);
  const queue = createHashingQueue(1);
  const leaveFirst = await queue.enter(stranger);
  clock += 10_000;
  // now it expects 1.5 seconds for a hash
  leaveFirst();
  const leave = await queue.enter(stranger);
  const [second, third] = [queue.enter(stranger), queue.enter(stranger)];
  leave();
  (await second)();
  (await third)();
});

test('whoever asks most often waits behind itself: every other network has the next turn, also where the queue is full [F49]', async () => {
  const queue = createHashingQueue(1);
  const order: string[] = [];
  const leave = await queue.enter(stranger);
  const hash = (prefix: string) =>
    queue.enter({ isKnown: false, prefix }).then(
      (leaveSlot) => {
        order.push(prefix);
        leaveSlot();
      },
      () => order.push(`no ${prefix}`),
    );
  const flood = Array.from({ length: 500 }, () => hash('flood'));
  const honest = ['one', 'two', 'one'].map(hash);
  const more = Array.from({ length: 500 }, () => hash('flood'));
  assert.equal(queue.waiting(), 20);
  leave();
  await Promise.all([...flood, ...honest, ...more]);
  const hashed = order.filter((who) => !who.startsWith('no '));
  assert.deepEqual(hashed, ['flood', 'one', 'two', 'flood', 'one', ...Array<string>(15).fill('flood')]);
});

test('whoever has just had a turn comes after those who have not [F49]', async () => {
  const queue = createHashingQueue(1);
  const leave = await queue.enter(stranger);
  const flood = () => queue.enter({ isKnown: false, prefix: 'flood' });
  const first = flood();
  leave();
  const leaveFlood = await first;
  const order: string[] = [];
  const waiting = [flood().then((leaveSlot) => [order.push('flood'), leaveSlot()])];
  waiting.push(queue.enter(stranger).then((leaveSlot) => [order.push('honest'), leaveSlot()]));
  leaveFlood();
  await Promise.all(waiting);
  assert.deepEqual(order, ['honest', 'flood']);
});

test('a network that keeps asking holds no other up, however often its turn comes [F49]', async () => {
  const queue = createHashingQueue(1);
  let [hashed, isOver] = [0, false];
  const flood = Array.from({ length: 50 }, async () => {
    while (!isOver) {
      const leave = await queue.enter({ isKnown: false, prefix: 'flood' }).catch(() => undefined);
      if (leave) hashed += 1;
      await turn();
      leave?.();
    }
  });
  try {
    for (let round = 0; round < 20; round += 1) {
      const before = hashed;
      const leave = await queue.enter(stranger);
      assert.ok(hashed - before <= 2, `waited for ${hashed - before}`);
      leave();
      await turn();
    }
  } finally {
    isOver = true;
  }
  await Promise.all(flood);
});

test('who has hung up leaves the queue, and its place is free for the next [F49]', async () => {
  const queue = createHashingQueue(1);
  const leave = await queue.enter(stranger);
  const hangUps = Array.from({ length: 20 }, () => new AbortController());
  const left = hangUps.map(({ signal: gone }) => assert.rejects(queue.enter({ ...stranger, gone }), isTooBusy));
  assert.equal(queue.waiting(), 20);
  await assert.rejects(queue.enter(stranger), isTooBusy);
  for (const hangUp of hangUps) hangUp.abort();
  await Promise.all(left);
  assert.equal(queue.waiting(), 0);
  const next = queue.enter(stranger);
  leave();
  (await next)();
  await assert.rejects(queue.enter({ ...stranger, gone: AbortSignal.abort() }), isTooBusy);
  (await queue.enter(stranger))();
});

test('hashes that need much memory share what there is: a dear one waits for others to end, and nobody is let past it', async () => {
  const queue = createHashingQueue(8);
  const order: string[] = [];
  const enter = (name: string, share: number, gone?: AbortSignal) =>
    queue.enter({ ...stranger, ...(gone && { gone }) }, memoryOfMachine * share).then((leave) => {
      order.push(name);
      return leave;
    });
  const leaveFirst = await enter('first half', 0.5);
  const leaveSecond = await enter('quarter', 0.25);
  const third = enter('second half', 0.5);
  const fourth = enter('small', 0.01);
  await turn();
  assert.deepEqual(order, ['first half', 'quarter']);
  leaveSecond();
  const [leaveThird, leaveFourth] = [await third, enter('all', 1)];
  await turn();
  assert.deepEqual(order, ['first half', 'quarter', 'second half']);
  leaveFirst();
  (await fourth)();
  leaveThird();
  (await leaveFourth)();
  assert.deepEqual(order, ['first half', 'quarter', 'second half', 'small', 'all']);
});

test('a dear hash whose asker has hung up leaves the memory to those behind it', async () => {
  const queue = createHashingQueue(8);
  const leave = await queue.enter(stranger, memoryOfMachine / 2);
  const hangUp = new AbortController();
  const dear = assert.rejects(queue.enter({ ...stranger, gone: hangUp.signal }, memoryOfMachine), isTooBusy);
  const next = queue.enter(stranger, memoryOfMachine / 4);
  hangUp.abort();
  await dear;
  (await next)();
  leave();
});

test('who would wait too long for memory is refused at once, though slots are free', async () => {
  const queue = createHashingQueue(8);
  const leave = await queue.enter(stranger, memoryOfMachine);
  const waiting = Array.from({ length: 30 }, () =>
    queue.enter(stranger, memoryOfMachine).then((leaveSlot) => leaveSlot()),
  );
  const outcomes = Promise.allSettled(waiting);
  assert.equal(queue.waiting(), 20, 'as many as five seconds are enough for');
  leave();
  assert.equal((await outcomes).filter(({ status }) => status === 'fulfilled').length, 20);
});

test('several processes share the hashing slots and the memory of the machine; a process that dies returns its own', async () => {
  const program = fileURLToPath(new URL('../support/hashing-workers.ts', import.meta.url));
  const child = fork(program, { execArgv: ['--import', 'tsx'] });
  const [{ most, hashed }] = await once(child, 'message');
  await once(child, 'exit');
  assert.deepEqual({ most, hashed }, { most: 2, hashed: 12 });
});

test('a process that hangs loses its hashing slot, and nothing when it gives it back later', async () => {
  const program = fileURLToPath(new URL('../support/hanging-worker.ts', import.meta.url));
  const child = fork(program, { execArgv: ['--import', 'tsx'] });
  const [order] = await once(child, 'message');
  await once(child, 'exit');
  assert.deepEqual(order, ['first', 'second', 'third']);
});

test('a machine on which a password takes less than a tenth of a second is warned of', async (t) => {
  const hashTakes = (ms: number) => {
    const times = [0, ms];
    t.mock.method(performance, 'now', () => times.shift() ?? ms);
  };
  // of a sixteenth of the work
  hashTakes(6);
  assert.equal(await hashingTooFast(), 'bcrypt of cost 12 takes only 96 ms on this machine; 100 and more are advised');
  hashTakes(7);
  assert.equal(await hashingTooFast(), undefined);
});
