import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { type Count, listCounts, periods } from '../operations/counts.sql.ts';
import { renderView } from '../web/render.ts';
import { queryParameters } from '../web/request-parameters.ts';
import type { Chart, ChartLine, ChartName, ChartPeriod, ChartTick, LineName } from './admin-health.view.ts';
import { forAdministrator } from './administrator.ts';
import { frameOf } from './parts.ts';

interface NamedValues {
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
    gaps: name === 'latency' ? gapsOf(lines) : [],
    lines: lines.map((line) => ({ ...line, figure: figureOf(name, line.values), runs: runsOf(line.values, top) })),
  };
}

/** What the whole chart comes to: of events the sum, of times the latest. */
const figureOf = (name: ChartName, values: NamedValues['values']): number | undefined =>
  name === 'latency'
    ? values.findLast((value) => value !== undefined)
    : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

/**
 * Returns a row of points for each run of measured values. A value with none beside it is a row of twice the same point, drawn as a dot.
 */
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

/** Where no line has a value: half a step around each such step, so that a value between two gaps lies in neither. */
function gapsOf(lines: readonly NamedValues[]): Chart['gaps'] {
  const steps = lines[0]?.values.length ?? 0;
  const isEmpty = (step: number) =>
    step >= 0 && step < steps && lines.every(({ values }) => values[step] === undefined);
  const last = Math.max(1, steps - 1);
  const begins = Array.from({ length: steps }, (_, step) => step).filter((step) => isEmpty(step) && !isEmpty(step - 1));
  return begins.map((begin) => {
    let end = begin;
    while (isEmpty(end)) end += 1;
    const [from, until] = [Math.max(0, begin - 0.5), Math.min(end - 0.5, last)].map((step) => (step * width) / last);
    return { x: round(from ?? 0), width: round((until ?? 0) - (from ?? 0)) };
  });
}

const round = (number: number) => Math.round(number * 10) / 10;

/** The next of 1, 2, 5, 10, 20, 50, …: an edge that people can read. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((edge) => edge >= value) ?? 1;
}

/** How many seconds are between two labels of the time axis. */
const tickSeconds: Readonly<Record<ChartPeriod, number>> = {
  hour: 900,
  day: 6 * 3600,
  week: 2 * 86_400,
  month: 7 * 86_400,
};

/** The labels of the time axis, at round times. A label at the edge would not fit. */
export function ticksOf(steps: readonly Date[], period: ChartPeriod): ChartTick[] {
  const [from = 0, until = 0] = [steps[0]?.getTime(), steps.at(-1)?.getTime()];
  const apart = tickSeconds[period] * 1000;
  const first = Math.ceil(from / apart);
  return Array.from({ length: Math.floor(until / apart) - first + 1 }, (_, nth) => (first + nth) * apart)
    .map((time) => ({ at: new Date(time), x: round(((time - from) * width) / (until - from)) }))
    .filter(({ x }) => x > width / 20 && x < (width * 19) / 20);
}

const quantiles: readonly [string, number][] = [
  ['p50', 0.5],
  ['p95', 0.95],
  ['p99', 0.99],
];

/** In how many milliseconds so many of the requests of a step were answered, between two bounds estimated by a straight line. */
function quantilesOf(bounds: readonly { bound: number; within: number[] }[], steps: number): NamedValues[] {
  return quantiles.map(([name, share]) => {
    const values = Array.from({ length: steps }, (_, step) => quantileAt(bounds, step, share));
    return { name: { plain: name }, values };
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

const names: readonly ChartPeriod[] = ['hour', 'day', 'week', 'month'];

/** Reasons that have a line of their own. */
const maxReasons = 5;

/** Shows what all instances have counted, as they add it to the database every ten seconds. */
export const showCharts = (deps: Deps): RequestHandler =>
  forAdministrator(deps, async (page) => {
    const { base } = deps.config;
    const { period: asked = '' } = queryParameters(page.req);
    const period = asked === '' ? 'hour' : names.find((name) => name === asked);
    const data = {
      ...frameOf(page, 'charts'),
      periods: names.map((name) => {
        return { period: name, href: `${base}/admin/charts?period=${name}`, is_current: name === period };
      }),
    };
    if (period === undefined) {
      return renderView(
        page,
        'admin-charts',
        { ...data, charts: [], steps: [], ticks: [], problem: 'no_such_period' },
        400,
      );
    }
    const { steps, seconds } = periods[period];
    const { begins_at, counts } = await listCounts(deps.database, periods[period]);
    const times = Array.from({ length: steps }, (_, step) => new Date(begins_at.getTime() + step * seconds * 1000));
    return renderView(page, 'admin-charts', {
      ...data,
      charts: chartsOf(counts, steps),
      steps: times,
      ticks: ticksOf(times, period),
    });
  });

function chartsOf(counts: readonly Count[], steps: number): Chart[] {
  const byName = new Map<string, number[]>();
  for (const { name, step, total } of counts) {
    const values = byName.get(name) ?? Array<number>(steps).fill(0);
    byName.set(name, values);
    if (step >= 0 && step < steps) values[step] = total;
  }
  const line = (name: LineName & `${string}`): NamedValues => {
    return { name, values: byName.get(name) ?? Array<number>(steps).fill(0) };
  };
  return [
    drawChart('sign_ins', [line('signed_in'), line('sign_in_refused')]),
    drawChart('refused_sign_ins', reasonsIn(byName, 'sign-in refused: ')),
    drawChart('tokens', [line('tokens_issued'), line('tokens_refreshed')]),
    drawChart('refusals', reasonsIn(byName, 'refused: ')),
    drawChart('latency', quantilesOf(boundsIn(byName), steps)),
  ];
}

const namesAfter = (byName: ReadonlyMap<string, number[]>, prefix: string) =>
  [...byName]
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, values]) => [name.slice(prefix.length), values] as const);

/** The reasons that were given most, and the others together. */
function reasonsIn(byName: ReadonlyMap<string, number[]>, prefix: string): NamedValues[] {
  const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0);
  const reasons = namesAfter(byName, prefix).sort(([, one], [, other]) => sum(other) - sum(one));
  const rest = reasons.slice(maxReasons).map(([, values]) => values);
  const shown = reasons
    .slice(0, maxReasons)
    .map(([reason, values]): NamedValues => ({ name: { plain: reason }, values }));
  const [first] = rest;
  if (!first) return shown;
  return [
    ...shown,
    { name: 'other_reasons', values: first.map((_, step) => sum(rest.map((values) => values[step] ?? 0))) },
  ];
}

/** How many requests were answered within each time, in seconds; the last bound is infinite. */
function boundsIn(byName: ReadonlyMap<string, number[]>): { bound: number; within: number[] }[] {
  return namesAfter(byName, 'within: ')
    .map(([bound, within]) => ({ bound: bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound), within }))
    .sort((one, other) => one.bound - other.bound);
}
