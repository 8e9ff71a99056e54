import { type Database, rows, type Statement } from '../postgres/database.ts';

/** A part of a long list; the key of its last row leads to the next part. */
export interface Page<Row> {
  rows: Row[];
  /** undefined: there are no more rows */
  next: string | undefined;
}

/**
 * Runs a statement whose last parameter is how many rows it fetches `with ties`: a page ends only where the key changes, since the rows of
 * one statement share their time, and none of them is to be lost between two pages.
 */
export async function findWholeMoments<Row extends { key: string }>(
  database: Database,
  statement: Statement,
  values: unknown[],
  limit: number,
): Promise<Page<Row>> {
  const found = await rows<Row>(database, statement, [...values, limit + 1]);
  const key = found[limit - 1]?.key;
  const end = found.findLastIndex((row) => row.key === key) + 1;
  return { rows: found.slice(0, found.length > limit ? end : limit), next: found.length > limit ? key : undefined };
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
