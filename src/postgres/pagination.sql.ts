import { type Database, rows, type Statement } from './database.ts';

/** A part of a long list; the key of its last row leads to the next part. */
export interface Page<Row> {
  rows: Row[];
  /** undefined: there are no more rows */
  next: string | undefined;
}

/** Runs a statement whose last parameter is its limit. It reads one row more than the page holds, to see whether there is a next page. */
export async function findPage<Row extends object>(
  database: Database,
  statement: Statement,
  values: unknown[],
  limit: number,
  key: (row: Row) => string,
): Promise<Page<Row>> {
  const found = await rows<Row>(database, statement, [...values, limit + 1]);
  const last = found[limit - 1];
  return { rows: found.slice(0, limit), next: found.length > limit && last ? key(last) : undefined };
}

/** Returns all pages of a list, each of which is read when somebody has taken the page before it. */
export async function* pagesOf<Row>(read: (after: string | undefined) => Promise<Page<Row>>): AsyncGenerator<Row[]> {
  let after: string | undefined;
  do {
    const { rows, next } = await read(after);
    yield rows;
    after = next;
  } while (after !== undefined);
}
