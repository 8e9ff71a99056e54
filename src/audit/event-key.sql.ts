/**
 * Names an event: by its time in microseconds, since a Date has only milliseconds, and by where its row stands, since one statement writes
 * many events with one time. Nobody changes an event, so its row stays where it is until the table is written anew.
 */
export const eventKey = (time: string, table_id: string, row_id: string) =>
  `concat_ws('-', (extract(epoch from ${time}) * 1000000)::bigint, ${table_id}, translate(${row_id}::text, ',()', '-'))`;

/** Returns the time of a key in a statement. */
export const timeOfKey = (microseconds: string) =>
  `to_timestamp(0) + ${microseconds}::bigint * interval '1 microsecond'`;

/** Digits that no type of the database refuses. */
const pattern = /^(\d{1,16})-(\d{1,10})-(\d{1,9})-(\d{1,4})$/;

/** Returns the values of a statement: microseconds, table_id and row_id; null if the text is not a key. */
export function eventKeyValues(key: string | undefined): [string, string, string] | [null, null, null] {
  const [, time, table_id, block, line] = pattern.exec(key ?? '') ?? [];
  return time && table_id ? [time, table_id, `(${block},${line})`] : [null, null, null];
}

/** Positive if the event of the first key comes later. */
export function compareEventKeys(one: string, other: string): number {
  const [ones, others] = [one, other].map((key) => key.split('-').map(Number)) as [number[], number[]];
  const at = ones.findIndex((part, index) => part !== others[index]);
  return (ones[at] ?? 0) - (others[at] ?? 0);
}
