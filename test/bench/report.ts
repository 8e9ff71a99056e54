import { contestants, framework, latchkey, leanProvider, provider } from './contestants.ts';
import type { Growth } from './grow.ts';
import type { Pages, Storm } from './pages.ts';
import type { Results } from './rounds.ts';
import { kinds } from './seeds/seed.ts';
import type { StartTimes } from './start.ts';

export interface Report {
  date: string;
  connections: number;
  machine: { cpu: string; cores: number; node: string; postgres: string };
  /** by contestant */
  results: Record<string, Results>;
  pages?: Pages;
  storm?: Storm;
  start?: StartTimes;
  growth?: Growth;
}

type Cell = string | number;

const round = (value: number, digits = 0) => value.toFixed(digits);
const memoryOf = (results: Results) => Math.max(...kinds.map((kind) => results[kind]?.memory ?? 0));

export function print(report: Report): void {
  const { machine, results } = report;
  const { cpu, cores, node, postgres } = machine;
  console.log(`\n${report.date}, ${cpu}, ${cores} cores, Node ${node}, ${postgres}`);
  if (Object.keys(results).length > 0) printComparison(report);
  const ours = results[latchkey.name];
  for (const [name, title] of [
    [framework, 'the Express floor'],
    [provider, 'node-oidc-provider'],
    [leanProvider, 'the lean node-oidc-provider'],
  ] as const) {
    const theirs = results[name];
    if (ours && theirs) printRatios(ours, theirs, title);
  }
  printRest(report);
}

function printComparison({ results, connections }: Report): void {
  const measured = contestants.filter(({ name }) => results[name]);
  const each = <T>(act: (title: string, of: Results) => T): T[] =>
    measured.map(({ name, title }) => act(title, results[name] as Results));
  section('CPU microseconds per request (server + Postgres), and memory under load', [
    ['', ...kinds, 'memory'],
    ...each((title, of) => [title, ...kinds.map((kind) => cpuOf(of, kind)), `${round(memoryOf(of))} MiB`]),
  ]);
  section(`Requests a second, and milliseconds to the answer (p50 / p99) on ${connections} connections`, [
    ['', ...kinds],
    ...each((title, of) => [title, ...kinds.map((kind) => speedOf(of, kind))]),
  ]);
}

function printRatios(ours: Results, theirs: Results, title: string): void {
  const ratio = (name: 'cpu' | 'throughput') =>
    kinds.map((kind) => (ours[kind] && theirs[kind] ? `${round(ours[kind][name] / theirs[kind][name], 2)} x` : ''));
  section(`Latchkey to ${title}`, [
    ['', ...kinds],
    ['CPU', ...ratio('cpu')],
    ['throughput', ...ratio('throughput')],
  ]);
}

function cpuOf(results: Results, kind: (typeof kinds)[number]): string {
  const measured = results[kind];
  return measured ? `${round(measured.cpu)} (${round(measured.server_cpu)} + ${round(measured.postgres_cpu)})` : '';
}

function speedOf(results: Results, kind: (typeof kinds)[number]): string {
  const measured = results[kind];
  return measured ? `${round(measured.throughput)}/s, ${round(measured.p50, 1)} / ${round(measured.p99, 1)}` : '';
}

function printRest({ results, pages, storm, start, growth }: Report): void {
  const exchange = results[latchkey.name]?.exchange;
  if (pages) {
    const to = (cpu: number) => (exchange ? `${round(cpu / exchange.cpu, 2)} x exchange` : '');
    section('Pages of Latchkey', [
      ['', 'CPU µs', ''],
      ['/authorize, remembered grant', round(pages.authorize.cpu), to(pages.authorize.cpu)],
      ['login page', round(pages.login_page.cpu), ''],
      ['consent page', round(pages.consent_page.cpu), ''],
    ]);
  }
  if (storm) {
    section('Logins beside /token', [
      ['p99 of /token', 'ms'],
      ['alone', round(storm.token_p99, 1)],
      [`under ${storm.logins_per_second} logins/s`, round(storm.token_p99_during_logins, 1)],
      ['ratio', `${round(storm.token_p99_during_logins / storm.token_p99, 2)} x`],
      ['logins', `p50 ${round(storm.login_p50)} ms, answered ${JSON.stringify(storm.login_statuses)}`],
    ]);
  }
  if (start) {
    section('Start to first answer', [
      ['on existing data', ''],
      ['Postgres', `${round(start.on_postgres)} ms`],
      ['embedded Postgres', `${round(start.on_embedded)} ms`],
    ]);
  }
  if (growth) printGrowth(growth);
}

function printGrowth({ sizes, empty, large, ratios, start_empty, start_large }: Growth): void {
  const { tokens, users, clients } = sizes;
  section(
    `${tokens} live and ${tokens} expired access tokens, as many refresh tokens, ${users} users, ${clients} clients`,
    [
      ['', ...kinds, 'memory', 'start'],
      [
        'empty',
        ...kinds.map((kind) => cpuOf(empty, kind)),
        `${round(memoryOf(empty))} MiB`,
        `${round(start_empty)} ms`,
      ],
      [
        'large',
        ...kinds.map((kind) => cpuOf(large, kind)),
        `${round(memoryOf(large))} MiB`,
        `${round(start_large)} ms`,
      ],
      ['ratio', ...kinds.map((kind) => `${round(ratios[kind], 2)} x`), '', ''],
    ],
  );
}

function section(title: string, rows: readonly (readonly Cell[])[]): void {
  console.log(`\n${title}\n\n${table(rows)}`);
}

/** A table in Markdown that is also a table on a terminal. */
export function table(rows: readonly (readonly Cell[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => String(row[column] ?? '').length), 3),
  );
  const line = (row: readonly Cell[]) =>
    `| ${widths.map((width, column) => String(row[column] ?? '').padEnd(width)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(head), rule, ...body.map(line)].join('\n');
}
