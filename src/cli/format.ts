import { UsageError } from './command.ts';

type Cell = string | number | boolean | Date | null | string[];

/** Replaces control and direction characters: names come from users, and must not send commands to the terminal. */
export function formatCell(cell: Cell): string {
  if (cell === null || (Array.isArray(cell) && cell.length === 0)) return '-';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (cell instanceof Date) return `${cell.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return (Array.isArray(cell) ? cell.join(' ') : String(cell)).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd');
}

/** Lines of a help text. */
export const wrapped = (text: string) => text.replace(/(.{1,130})(?: |$)/g, '$1\n').trimEnd();

/** Aligned columns under a header; `whenEmpty` if there are no rows. */
export function formatTable(rows: Record<string, Cell>[], whenEmpty: string): string {
  const [first] = rows;
  if (!first) return whenEmpty;
  const lines = [
    Object.keys(first).map((name) => name.toUpperCase()),
    ...rows.map((row) => Object.values(row).map(formatCell)),
  ];
  const widths = Object.keys(first).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One `name: value` a line; a list has one line for each of its values. */
export function formatFields(values: Record<string, Cell>): string {
  const width = Math.max(...Object.keys(values).map((name) => name.length)) + 1;
  const lines = Object.entries(values).flatMap(([name, cell]) => {
    const cells: Cell[] = Array.isArray(cell) && cell.length > 1 ? cell : [cell];
    return cells.map((each, index) => `${(index === 0 ? `${name}:` : '').padEnd(width)} ${formatCell(each)}`);
  });
  return lines.join('\n');
}

/** Options of a command that prints a list page by page; `key` names the column that orders it. */
export const listOptions = (key: string) =>
  ({
    limit: { type: 'string', value: 'N', help: 'maximum number of rows (default 1000)' },
    after: { type: 'string', value: key, help: 'start after this row' },
  }) as const;

export function readLimit(name: string, limit = '1000', option = 'limit'): number {
  const rows = Number(limit);
  if (!Number.isInteger(rows) || rows < 1 || rows > 100_000) {
    throw new UsageError(`${name}: --${option} is not a number from 1 to 100000`);
  }
  return rows;
}

/** The option that prints the next page, if there is one. */
export function nextPageHint(next: string | undefined): string {
  return next === undefined ? '' : `\n\nThere are more: --after '${formatCell(next)}'`;
}
