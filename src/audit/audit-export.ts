import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../postgres/database.ts';
import { pagesOf } from '../postgres/pagination.sql.ts';
import { type AuditFilter, type FoundEvent, findEvents } from './audit-search.sql.ts';

/** A file of events: CSV with a header, or one JSON object in each line. Both say the same. */
export type ExportFormat = 'csv' | 'jsonl';

export const exportTypes: Record<ExportFormat, string> = {
  csv: 'text/csv;charset=UTF-8',
  jsonl: 'application/x-ndjson;charset=UTF-8',
};

/** How many events are read at once; the next ones are read when these were taken. */
const pageSize = 100;

/** Returns the lines of the file, newest first. */
export async function* exportEvents(
  database: Database,
  filter: AuditFilter,
  format: ExportFormat,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine([...members]);
  const lineOf = format === 'csv' ? (event: FoundEvent) => csvLine(cellsOf(event)) : jsonLine;
  for await (const events of pagesOf((after) => findEvents(database, filter, after, pageSize))) {
    if (events.length > 0) yield events.map(lineOf).join('\n');
  }
}

/**
 * Passes on pieces, and rests four times as long as each took, so that a process that serves applications, too, is at its service for
 * most of the time.
 */
export async function* unhurried(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let start = performance.now();
  for await (const piece of pieces) {
    const took = performance.now() - start;
    yield piece;
    await pause(Math.min(4 * took, 1000));
    start = performance.now();
  }
}

const members = [
  'happened_at',
  'event',
  'user_id',
  'username',
  'client_id',
  'client_name',
  'address',
  'request_id',
  'detail',
  'by_user_id',
  'by_username',
  'by_system_user',
] as const satisfies (keyof FoundEvent)[];

const cellsOf = (event: FoundEvent) =>
  members.map((member) => {
    const value = event[member];
    return value instanceof Date ? value.toISOString() : String(value ?? '');
  });

/** Returns an event as somebody reads it. */
export const shownMembers = (event: FoundEvent) => Object.fromEntries(members.map((member) => [member, event[member]]));

export const jsonLine = (event: FoundEvent) => JSON.stringify(shownMembers(event));

/**
 * Spreadsheets run what begins like a formula, so an apostrophe stands before that, also after what some of them take for the end of a
 * cell, quotes or not: in much of Europe they expect semicolons.
 */
const formulas = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

function csvLine(cells: readonly string[]): string {
  return cells
    .map((cell) => cell.replaceAll(formulas, "'"))
    .map((cell) => `"${cell.replaceAll('"', '""')}"`)
    .join(',');
}
