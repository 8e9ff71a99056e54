import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { type Count, listCounts, periods } from '../operations/counts.sql.ts';
import { renderView } from '../web/render.ts';
import { queryParameters } from '../web/request-parameters.ts';
import type { Chart, ChartPeriod, LineName } from './admin-health.view.ts';
import { forAdministrator } from './administrator.ts';
import { drawChart, type NamedValues, quantilesOf } from './chart.ts';
import { frameOf } from './parts.ts';

const names: readonly ChartPeriod[] = ['hour', 'day', 'month'];

/** Reasons that have a line of their own. */
const maxReasons = 5;

/** What all instances have counted, as they add it to the database every ten seconds. */
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
      return renderView(page, 'admin-charts', { ...data, charts: [], steps: [], problem: 'no_such_period' }, 400);
    }
    const { steps, seconds } = periods[period];
    const { begins_at, counts } = await listCounts(deps.database, periods[period]);
    return renderView(page, 'admin-charts', {
      ...data,
      charts: chartsOf(counts, steps),
      steps: Array.from({ length: steps }, (_, step) => new Date(begins_at.getTime() + step * seconds * 1000)),
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
  const shown = reasons.slice(0, maxReasons).map(([reason, values]): NamedValues => ({ name: { reason }, values }));
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
