import type { Family, Labels, Sample } from './metric.ts';

/** The text format of Prometheus, version 0.0.4. */
export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

export function writeFamilies(families: readonly Family[]): string {
  return families.map(writeFamily).join('');
}

function writeFamily({ name, type, help, samples }: Family): string {
  const lines = samples.map(({ suffix = '', labels, value }) => `${name}${suffix}${writeLabels(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function writeLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escaped = (value: string) => value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');

/** Adds the metrics of several processes up, as if there were one process. */
export function addUp(processes: readonly (readonly Family[])[]): Family[] {
  const sums = new Map<string, Family>();
  for (const family of processes.flat()) {
    const before = sums.get(family.name);
    sums.set(family.name, before ? combine(before, family) : family);
  }
  return [...sums.values()];
}

function combine(one: Family, other: Family): Family {
  const samples = new Map(one.samples.map((sample) => [keyOf(sample), sample]));
  for (const sample of other.samples) {
    const before = samples.get(keyOf(sample))?.value;
    const value = before === undefined ? sample.value : combined(one.across, before, sample.value);
    samples.set(keyOf(sample), { ...sample, value });
  }
  return { ...one, samples: [...samples.values()] };
}

function combined(across: Family['across'], one: number, other: number): number {
  return across === 'sum' ? one + other : Math.max(one, other);
}

const keyOf = ({ suffix, labels }: Sample) => `${suffix}${JSON.stringify(labels)}`;
