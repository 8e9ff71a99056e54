import { UsageError } from './command.ts';
import { formatCell } from './format.ts';

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
