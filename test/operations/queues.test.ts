import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFairLine, type Waiting } from '../../src/identity/fair-line.ts';
import { createRequestQueue } from '../../src/operations/request-queue.ts';

/** The rounds as one sorted list, whose operations look at all who wait. */
function createSlowLine() {
  const places: { round: number; item: Waiting }[] = [];
  let currentRound = 0;
  let served: string[] = [];
  const nextRound = (prefix: string) => {
    const last = places.findLast(({ item }) => item.prefix === prefix);
    if (last) return last.round + 1;
    return served.includes(prefix) ? currentRound + 1 : currentRound;
  };
  return {
    length: () => places.length,
    push(item: Waiting) {
      const round = nextRound(item.prefix);
      places.splice(places.findLastIndex((place) => place.round <= round) + 1, 0, { round, item });
    },
    shift() {
      const first = places.shift();
      if (first && first.round > currentRound) served = [];
      currentRound = first?.round ?? currentRound;
      if (first) served.push(first.item.prefix);
      return first?.item;
    },
    remove(item: Waiting) {
      const index = places.findIndex((place) => place.item === item);
      if (index >= 0) places.splice(index, 1);
      return index >= 0;
    },
    makeRoomFor(prefix: string) {
      const last = places.at(-1);
      if (last === undefined || last.round <= nextRound(prefix)) return false;
      last.item.refuse();
      return true;
    },
  };
}

const step = fc.record({
  what: fc.constantFrom('push', 'push', 'push', 'shift', 'remove', 'makeRoomFor'),
  prefix: fc.constantFrom('a', 'b', 'c', 'd'),
  at: fc.nat(30),
});

test('the line in which networks take turns does what a sorted list would do, whatever happens in it', () => {
  const property = fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
    const [line, slow] = [createFairLine<Waiting>(), createSlowLine()];
    const pushed: Waiting[] = [];
    for (const { what, prefix, at } of steps) {
      const refused: string[] = [];
      if (what === 'push') {
        const item = { prefix, refuse: () => refused.push(`${line.remove(item)} ${slow.remove(item)}`) };
        pushed.push(item);
        line.push(item);
        slow.push(item);
      }
      if (what === 'shift') assert.equal(line.shift(), slow.shift());
      const item = pushed[at];
      if (what === 'remove' && item) assert.equal(line.remove(item), slow.remove(item));
      if (what === 'makeRoomFor') {
        const last = slow.makeRoomFor(prefix);
        if (!last) assert.equal(line.makeRoomFor(prefix), false);
      }
      assert.equal(line.length(), slow.length());
    }
  });
  fc.assert(property, { numRuns: 2000 });
});

/** Microseconds of CPU for a number of operations in a line of this length, half of it of one network. */
function costIn(length: number): number {
  const line = createFairLine<Waiting>();
  const push = (at: number) => {
    const item = { prefix: at % 2 === 0 ? 'flood' : `network ${at}`, refuse: () => void line.remove(item) };
    line.push(item);
    return item;
  };
  for (let at = 0; at < length; at += 1) push(at);
  const before = process.cpuUsage();
  for (let at = 0; at < 2000; at += 1) {
    line.shift();
    line.remove(push(2 * at));
    line.makeRoomFor('other');
    push(at);
    push(at + 1);
  }
  return process.cpuUsage(before).user;
}

test('the operations of the line cost the same at any length', () => {
  costIn(300);
  const [short, long] = [300, 30_000].map((length) => Math.min(...Array.from({ length: 3 }, () => costIn(length))));
  assert.ok(
    (long ?? 0) < 30 * (short ?? 0),
    `${short} µs in a short line, ${long} µs in one that is 100 times as long`,
  );
});

function request(header: string) {
  const req = new IncomingMessage(new Socket());
  req.rawHeaders.push('X-Header', header);
  return { req, res: new ServerResponse(req), arrivedAt: 0 };
}

/** How many requests of this size from one network wait at last; of a second network, all are taken. */
function fill(size: number, count: number) {
  let address = '192.0.2.1';
  const queue = createRequestQueue(() => address);
  const header = 'x'.repeat(size);
  let refused = 0;
  for (let at = 0; at < count; at += 1) queue.push(request(header), () => (refused += 1));
  const waiting = queue.length();
  assert.equal(refused, count - waiting);
  address = '198.51.100.1';
  queue.push(request(header), () => assert.fail('the second network is refused'));
  assert.deepEqual([queue.length(), refused], [waiting, count - waiting + 1], 'instead of one of the first');
  return { queue, waiting };
}

test('the queue of requests is limited in number and in bytes, and a network that fills it displaces itself only', () => {
  assert.equal(fill(10, 6000).waiting, 5000);
  const { queue, waiting } = fill(16_000, 1500);
  assert.equal(waiting, Math.floor(2 ** 24 / 16_008));
  // what has started makes room for as much
  queue.shift();
  queue.push(request('x'.repeat(16_000)), () => assert.fail('refused'));
});

test('a request whose connection ends leaves the queue', () => {
  const queue = createRequestQueue(() => '192.0.2.1');
  const [gone, next] = [request('1'), request('2')];
  for (const one of [gone, next]) queue.push(one, () => assert.fail('refused'));
  gone.res.emit('close');
  assert.equal(queue.length(), 1);
  assert.equal(queue.shift()?.res, next.res);
});
