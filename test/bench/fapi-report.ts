import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { root } from './contestants.ts';
import { type Fapi, rowsOf, rowsOfDelays } from './fapi.ts';
import type { Options } from './options.ts';
import { type Report, table } from './report.ts';

const begin = '<!-- written by npm run bench -- --fapi -->';
const end = '<!-- end of what npm run bench -- --fapi writes -->';

/** On the terminal; and except after a quick run in README.md, in place of the tables of the last run. */
export function keepFapi(
  { date, machine }: Pick<Report, 'date' | 'machine'>,
  fapi: Fapi,
  { connections, isQuick }: Options,
): void {
  const { cores, node, postgres } = machine;
  const command = `npm run bench -- ${process.argv.slice(2).join(' ')}`;
  const load = loadavg()[1] ?? 0;
  const busy = load > 2 * cores ? ', busy with other work' : '';
  const conditions = [
    `Measured on ${date} with \`${command}\`:`,
    `${cores} cores${busy} (load average ${Math.round(load)}), Node ${node}, ${postgres}, ${connections} connections.`,
    ...(busy
      ? ['On a busy machine, figures are several times as high as on a quiet one: compare only within a column.']
      : []),
  ].join('\n');
  const text = [conditions, table(rowsOf(fapi)), table(rowsOfDelays(fapi))].join('\n\n');
  console.log(`\n${text}`);
  if (isQuick) return;
  const file = join(root, 'test/bench/README.md');
  const [before, rest] = readFileSync(file, 'utf8').split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${file} has no place for the tables`);
  writeFileSync(file, `${before}${begin}\n\n${text}\n\n${end}${after}`);
  console.log(`Written: ${file}`);
}
