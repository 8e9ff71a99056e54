import type { Sample } from './sample.ts';

/** By how much something may grow from the first third of the judged samples to the last. */
interface Bound {
  /** as a share of what it was */
  readonly share: number;
  /** or by so much, whichever is more */
  readonly slack: number;
}

const bounds = {
  /** MiB */
  memory: { share: 0.1, slack: 5 },
  table: { share: 0.1, slack: 1 },
  /** bytes of a row that stays */
  row: { share: 0.1, slack: 16 },
  /** clients open more connections when answers are late */
  count: { share: 0.1, slack: 20 },
  /** milliseconds: other programs on the machine are felt */
  latency: { share: 0.5, slack: 5 },
  /** microseconds */
  cpu: { share: 0.25, slack: 50 },
} as const satisfies Record<string, Bound>;

const mebibytes = (bytes: number) => bytes / 2 ** 20;

/** Events are kept for weeks: their tables must grow, by so many bytes for an event. */
const growing: readonly string[] = ['audit_events', 'routine_events'];

export interface Finding {
  readonly what: string;
  readonly first: number;
  readonly last: number;
  readonly most: number;
  readonly isFlat: boolean;
}

export function compare(what: string, { share, slack }: Bound, [first, last]: [number, number]): Finding {
  const most = first + Math.max(slack, first * share);
  return { what, first, last, most, isFlat: last <= most };
}

/** Compares medians, so that one bad minute is not a trend. */
export function judge(samples: readonly Sample[]): Finding[] {
  const third = Math.floor(samples.length / 3);
  if (third === 0) throw new Error('too few samples to judge: at least three after the warm-up');
  const compareThirds = (what: string, bound: Bound, of: (sample: Sample) => number | undefined): Finding =>
    compare(what, bound, [median(samples.slice(0, third).map(of)), median(samples.slice(-third).map(of))]);
  const tables = namesIn(samples, ({ tables }) => tables);
  const kinds = namesIn(samples, ({ latencies }) => latencies);
  return [
    compareThirds('resident memory, MiB', bounds.memory, ({ rss }) => mebibytes(rss)),
    compareThirds('open descriptors', bounds.count, ({ descriptors }) => descriptors),
    compareThirds('database connections', bounds.count, ({ connections }) => connections),
    compareThirds('CPU of the server, µs a request', bounds.cpu, ({ server_cpu }) => server_cpu),
    compareThirds('CPU of Postgres, µs a request', bounds.cpu, ({ postgres_cpu }) => postgres_cpu),
    ...tables.map((name) =>
      growing.includes(name)
        ? compareThirds(`${name}, bytes a row`, bounds.row, ({ tables }) => bytesOfRow(tables[name]))
        : compareThirds(`${name}, MiB`, bounds.table, ({ tables }) => mebibytes(tables[name]?.bytes ?? 0)),
    ),
    ...kinds.map((kind) => compareThirds(`${kind}, p99 ms`, bounds.latency, ({ latencies }) => latencies[kind]?.p99)),
  ];
}

function bytesOfRow(table: Sample['tables'][string] | undefined): number {
  return table && table.rows > 0 ? table.bytes / table.rows : 0;
}

function namesIn(samples: readonly Sample[], of: (sample: Sample) => object): string[] {
  return [...new Set(samples.flatMap((sample) => Object.keys(of(sample))))];
}

function median(numbers: readonly (number | undefined)[]): number {
  const sorted = numbers.filter((number) => number !== undefined).sort((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? 0;
}
