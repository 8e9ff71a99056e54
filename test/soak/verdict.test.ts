import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sample } from './sample.ts';
import { judge } from './verdict.ts';

const mebibyte = 2 ** 20;

/** Half an hour of a server that is as it should be: everything goes up and down a little. */
function steady(change: (minute: number) => Partial<Sample> = () => ({})): Sample[] {
  return Array.from({ length: 30 }, (_, minute) => {
    const noise = 1 + 0.04 * Math.sin(minute * 2.5);
    return {
      seconds: minute * 60,
      rss: 120 * mebibyte * noise,
      heap: 40 * mebibyte,
      descriptors: Math.round(60 * noise),
      connections: 12,
      tables: { access_tokens: tableOf(8 * mebibyte * noise), audit_events: tableOf(minute * mebibyte, minute * 5000) },
      latencies: { exchange: { requests: 1000, p50: 3, p99: minute % 10 === 0 ? 300 : 12 * noise } },
      requests: 10_000,
      server_cpu: 400 * noise,
      postgres_cpu: 200 * noise,
      swept: 5000,
      refusals: {},
      ...change(minute),
    };
  });
}

const tableOf = (bytes: number, rows = 5000) => ({ rows, dead: 0, bytes, indexes: bytes / 3, vacuums: 1 });

const grown = (samples: Sample[]) =>
  judge(samples)
    .filter(({ isFlat }) => !isFlat)
    .map(({ what }) => what);

test('a server that only fluctuates is flat, also if single minutes are bad and the audit trail grows', () => {
  assert.deepEqual(grown(steady()), []);
});

test('what grows slowly is found: memory, descriptors, a table, bytes of an event, latency', () => {
  assert.deepEqual(grown(steady((minute) => ({ rss: (120 + minute) * mebibyte }))), ['resident memory, MiB']);
  assert.deepEqual(grown(steady((minute) => ({ descriptors: 60 + 2 * minute }))), ['open descriptors']);
  const tables = (minute: number) => ({
    access_tokens: tableOf((8 + minute / 10) * mebibyte),
    audit_events: tableOf(minute * minute * mebibyte, minute * 5000),
  });
  const expected = ['access_tokens, MiB', 'audit_events, bytes a row'];
  assert.deepEqual(grown(steady((minute) => ({ tables: tables(minute) }))), expected);
  const latencies = (minute: number) => ({ exchange: { requests: 1000, p50: 3, p99: 12 + minute } });
  assert.deepEqual(grown(steady((minute) => ({ latencies: latencies(minute) }))), ['exchange, p99 ms']);
});

test('what shrinks is flat, and two samples are too few to judge', () => {
  assert.deepEqual(grown(steady((minute) => ({ rss: (200 - minute) * mebibyte }))), []);
  assert.throws(() => judge(steady().slice(0, 2)), /too few samples/);
});
