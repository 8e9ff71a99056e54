import type { Chart, ChartLine, ChartName, LineName } from './admin-health.view.ts';

export interface NamedValues {
  name: ChartLine['name'];
  values: (number | undefined)[];
}

/** The drawing area, which the template repeats as its viewBox. */
const [width, height] = [600, 120];

export function drawChart(name: ChartName, lines: readonly NamedValues[]): Chart {
  const top = roundUp(Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))));
  return {
    name,
    is_time: name === 'latency',
    top,
    lines: lines.map((line) => ({ ...line, runs: runsOf(line.values, top) })),
  };
}

/** One row of points for each run of measured values. A value with none beside it is a row of twice the same point, drawn as a dot. */
function runsOf(values: readonly (number | undefined)[], top: number): string[] {
  const last = Math.max(1, values.length - 1);
  const points = values.map((value, step) => {
    return value === undefined ? '' : `${round((step * width) / last)},${round(height - (value * height) / top)}`;
  });
  const runs = points
    .join(' ')
    .split(/ {2,}/)
    .map((run) => run.trim());
  return runs.filter((run) => run !== '').map((run) => (run.includes(' ') ? run : `${run} ${run}`));
}

const round = (number: number) => Math.round(number * 10) / 10;

/** The next of 1, 2, 5, 10, 20, 50, …: an edge that people can read. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((edge) => edge >= value) ?? 1;
}

const quantiles: readonly [LineName, number][] = [
  ['half', 0.5],
  ['most', 0.95],
  ['nearly_all', 0.99],
];

/** In how many milliseconds so many of the requests of a step were answered, between two bounds estimated by a straight line. */
export function quantilesOf(bounds: readonly { bound: number; within: number[] }[], steps: number): NamedValues[] {
  return quantiles.map(([name, share]) => {
    return { name, values: Array.from({ length: steps }, (_, step) => quantileAt(bounds, step, share)) };
  });
}

function quantileAt(
  bounds: readonly { bound: number; within: number[] }[],
  step: number,
  share: number,
): number | undefined {
  const count = bounds.at(-1)?.within[step] ?? 0;
  if (count === 0) return undefined;
  const at = bounds.findIndex(({ within }) => (within[step] ?? 0) >= count * share);
  const upper = bounds[at];
  const lower = bounds[at - 1];
  const [from, below] = [lower?.bound ?? 0, lower?.within[step] ?? 0];
  // requests that took longer than the last bound have no other figure
  if (!upper || upper.bound === Number.POSITIVE_INFINITY) return from * 1000;
  const part = (count * share - below) / Math.max(1, (upper.within[step] ?? 0) - below);
  return Math.round((from + (upper.bound - from) * part) * 10_000) / 10;
}
