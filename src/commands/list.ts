import { UsageError } from './command.ts';
import { show } from './print.ts';

/** Options of a command that lists what has no end; `key` is what the rows are ordered by. */
export const listOptions = (key: string) =>
  ({
    limit: { type: 'string', value: 'N', help: 'how many at most, 1000 unless said otherwise' },
    after: { type: 'string', value: key, help: 'begin behind this one' },
  }) as const;

export function readLimit(name: string, limit = '1000'): number {
  const most = Number(limit);
  if (!Number.isInteger(most) || most < 1 || most > 100_000) {
    throw new UsageError(`${name}: --limit is not a number from 1 to 100000`);
  }
  return most;
}

/** What to type for the next part of the list, where there is one. */
export function wayOn(next: string | undefined): string {
  return next === undefined ? '' : `\n\nThere are more: --after '${show(next)}'`;
}
