/** A part of a list that has no end: the key of its last row leads to the next part. */
export interface Page<Row> {
  rows: Row[];
  /** undefined: there is no more */
  next: string | undefined;
}

/** Of rows that were read with a limit one higher than a page holds. */
export function pageOf<Row>(found: Row[], most: number, keyOf: (row: Row) => string): Page<Row> {
  const rows = found.slice(0, most);
  const last = rows.at(-1);
  return { rows, next: found.length > most && last ? keyOf(last) : undefined };
}
