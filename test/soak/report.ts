import type { Sample } from './sample.ts';
import type { Sweeps } from './sweeper.ts';
import type { Finding } from './verdict.ts';
import type { Plan, Year } from './year.ts';

const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)}`;
const rounded = (number: number) => (number < 10 ? number.toFixed(1) : String(Math.round(number)));

/** One line for each sample, while the run goes on. */
export function lineOf({ seconds, latencies, tables, ...sample }: Sample): string {
  const bytes = Object.values(tables).reduce((sum, table) => sum + table.bytes, 0);
  const { exchange } = latencies;
  return [
    `${seconds} s:`,
    `${sample.requests} requests,`,
    `memory ${mebibytes(sample.rss)} (heap ${mebibytes(sample.heap)}),`,
    `${sample.descriptors} descriptors, ${sample.connections} connections,`,
    `tables ${mebibytes(bytes)} MiB, access_tokens ${mebibytes(tables['access_tokens']?.bytes ?? 0)},`,
    `swept ${sample.swept},`,
    `CPU ${rounded(sample.server_cpu)} + ${rounded(sample.postgres_cpu)} µs,`,
    `exchange p50 ${rounded(exchange?.p50 ?? 0)}, p99 ${rounded(exchange?.p99 ?? 0)} ms,`,
    `${Object.values(sample.refusals).reduce((sum, count) => sum + count, 0)} answers of 503 so far`,
  ].join(' ');
}

export function printSweeps({ runs, failed, rows, seconds, cpu }: Sweeps): void {
  const million = rows / 1e6;
  console.log(
    `The sweep ran ${runs} times, failed ${failed} times, and deleted ${rows} rows in ${seconds.toFixed(1)} s: ` +
      `${Math.round(rows / seconds)} rows a second, ${rounded(cpu / 1e6 / million)} s of CPU a million.`,
  );
}

/** The last sample, by table and by kind of request. Tables of a few rows are left out. */
export function printLast({ tables, latencies }: Sample): void {
  console.log('\n| Table | Rows | Dead | MiB | of these indexes | Vacuumed |\n|---|---|---|---|---|---|');
  const used = Object.entries(tables).filter(([, { rows, dead }]) => rows + dead > 50);
  for (const [name, { rows, dead, bytes, indexes, vacuums }] of used) {
    console.log(`| ${name} | ${rows} | ${dead} | ${mebibytes(bytes)} | ${mebibytes(indexes)} | ${vacuums} times |`);
  }
  console.log('\n| Request | Number | p50 ms | p99 ms |\n|---|---|---|---|');
  for (const [kind, { requests, p50, p99 }] of Object.entries(latencies)) {
    console.log(`| ${kind} | ${requests} | ${rounded(p50)} | ${rounded(p99)} |`);
  }
}

/** Rows, MiB with indexes, and bytes for each family. */
export function printYear({ days, refreshes, exchanges }: Year, { families }: Plan): void {
  console.log(`\n${families} families, ${refreshes} refreshes, ${exchanges} exchanges of families that had ended.`);
  const title = days.map(({ day }) => ` Day ${day} |`).join('');
  console.log(`\n| Rows, MiB, bytes a family |${title}\n|---|${days.map(() => '---|').join('')}`);
  for (const table of Object.keys(days[0]?.tables ?? {})) {
    const cells = days.map(({ tables }) => {
      const { rows = 0, bytes = 0 } = tables[table] ?? {};
      return ` ${rows}, ${mebibytes(bytes)}, ${rounded(bytes / families)} |`;
    });
    console.log(`| ${table} |${cells.join('')}`);
  }
}

export function printFindings(
  findings: readonly Finding[],
  titles = 'After the warm-up | First third | Last third',
): void {
  console.log(`\n| ${titles} | At most | |\n|---|---|---|---|---|`);
  for (const { what, first, last, most, isFlat } of findings) {
    console.log(`| ${what} | ${rounded(first)} | ${rounded(last)} | ${rounded(most)} | ${isFlat ? '' : 'GROWS'} |`);
  }
}
