// What this process counts. An increment costs a look-up in a map; nothing is formatted before somebody asks (exposition.ts).

export type Labels = Readonly<Record<string, string>>;

/** One line of the output; the suffix is that of a histogram. */
export interface Sample {
  readonly suffix?: '_bucket' | '_sum' | '_count';
  readonly labels: Labels;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** how the values of several processes become one */
  readonly across: 'sum' | 'max';
  readonly samples: readonly Sample[];
}

/** More combinations of labels than this are counted together, so that no request can fill the memory. */
const maxSeries = 1000;

const collectors: (() => Family)[] = [];

/** All counters and histograms of this process. */
export function countedFamilies(): Family[] {
  return collectors.map((collect) => collect());
}

export interface Counter {
  add(...labels: string[]): void;
}

/**
 * Its labels, each with the values that begin at 0: Prometheus would not see the first event of others. Every value must come
 * from a fixed set.
 */
export function counter(name: string, help: string, labels: Readonly<Record<string, readonly string[]>> = {}): Counter {
  const names = Object.keys(labels);
  const counts = new Map(combinations(Object.values(labels)).map((values) => [values.join('\n'), 0]));
  collectors.push(() => {
    const samples = [...counts].map(([key, value]) => ({ labels: labelsOf(names, key), value }));
    return { name, type: 'counter', help, across: 'sum', samples };
  });
  return {
    add: (...values) => {
      const key = boundedKey(counts, values);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
  };
}

export interface Histogram {
  observe(value: number, ...labels: string[]): void;
}

interface Distribution {
  /** how many values fell into each bucket, and above the last one */
  readonly counts: number[];
  sum: number;
}

/** The bounds of its buckets in ascending order. */
export function histogram(name: string, help: string, bounds: readonly number[], ...labelNames: string[]): Histogram {
  const empty = (): Distribution => ({ counts: Array<number>(bounds.length + 1).fill(0), sum: 0 });
  const distributions = new Map<string, Distribution>();
  if (labelNames.length === 0) distributions.set('', empty());
  collectors.push(() => {
    const samples = [...distributions].flatMap(([key, one]) => samplesOf(labelsOf(labelNames, key), bounds, one));
    return { name, type: 'histogram', help, across: 'sum', samples };
  });
  return {
    observe: (value, ...values) => {
      const key = boundedKey(distributions, values);
      const distribution = distributions.get(key) ?? empty();
      distributions.set(key, distribution);
      const bucket = bounds.findIndex((bound) => value <= bound);
      const at = bucket === -1 ? bounds.length : bucket;
      distribution.counts[at] = (distribution.counts[at] ?? 0) + 1;
      distribution.sum += value;
    },
  };
}

/** A value that is known when somebody asks, such as the length of a queue. */
export function gauge(
  name: string,
  help: string,
  samples: number | readonly Sample[],
  across: Family['across'] = 'sum',
): Family {
  const all = typeof samples === 'number' ? [{ labels: {}, value: samples }] : samples;
  return { name, type: 'gauge', help, across, samples: all };
}

/** Each bucket contains the smaller ones. */
function samplesOf(labels: Labels, bounds: readonly number[], { counts, sum }: Distribution): Sample[] {
  let count = 0;
  const buckets = counts.map((one, at): Sample => {
    count += one;
    return { suffix: '_bucket', labels: { ...labels, le: String(bounds[at] ?? '+Inf') }, value: count };
  });
  return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }];
}

function boundedKey(known: ReadonlyMap<string, unknown>, values: readonly string[]): string {
  const key = values.join('\n');
  return known.size < maxSeries || known.has(key) ? key : values.map(() => 'other').join('\n');
}

function labelsOf(names: readonly string[], key: string): Labels {
  const values = key.split('\n');
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
}

/** One value of each list; no combination where a list is empty. */
function combinations(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>(
    (found, list) => found.flatMap((before) => list.map((value) => [...before, value])),
    [[]],
  );
}
