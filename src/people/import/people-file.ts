import { readFlag } from '../../lib/flag.ts';

/** A person as a file describes them. A missing member leaves what is stored as it is. */
export interface ListedPerson {
  subject: string;
  username?: string | null;
  email?: string | null;
  email_verified?: boolean | null;
  name?: string | null;
  password_hash?: string | null;
  disabled?: boolean | null;
}

export const personMembers = [
  'subject',
  'username',
  'email',
  'email_verified',
  'name',
  'password_hash',
  'disabled',
] as const satisfies readonly (keyof ListedPerson)[];

const flags: ReadonlySet<string> = new Set(['email_verified', 'disabled']);

/** A record of a file: a person, or the reason why the record is no person. */
export type ListedRecord = { line: number } & ({ person: ListedPerson } | { problem: string });

export type PeopleFormat = 'csv' | 'jsonl';

/** Returns the format by the ending of the file name. */
export function peopleFormatOf(path: string): PeopleFormat | undefined {
  if (/\.csv$/i.test(path)) return 'csv';
  return /\.(jsonl|ndjson)$/i.test(path) ? 'jsonl' : undefined;
}

/** The most characters of one record, of which hashes take the most. */
const longestRecord = 65_536;
const mostColumns = 50;

/** Thrown when the file cannot be read any further. */
export class PeopleFileError extends Error {}

/** Reads the records of a file as it arrives; a faulty record does not hide the ones after it. */
export function readPeople(chunks: AsyncIterable<string>, format: PeopleFormat): AsyncGenerator<ListedRecord> {
  return format === 'csv' ? readCsv(chunks) : readJsonLines(chunks);
}

async function* readJsonLines(chunks: AsyncIterable<string>): AsyncGenerator<ListedRecord> {
  let line = 0;
  for await (const text of linesOf(chunks)) {
    line += 1;
    if (text.trim() !== '') yield { line, ...personOfJson(text) };
  }
}

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let line = 1;
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const one of lines) {
      if (one.length > longestRecord) throw tooLong(line);
      yield one;
      line += 1;
    }
    if (rest.length > longestRecord) throw tooLong(line);
  }
  if (rest !== '') yield rest;
}

const tooLong = (line: number) => new PeopleFileError(`line ${line} is longer than ${longestRecord} characters`);

function personOfJson(text: string): { person: ListedPerson } | { problem: string } {
  let members: unknown;
  try {
    members = JSON.parse(text);
  } catch {
    return { problem: 'is no JSON' };
  }
  if (typeof members !== 'object' || members === null || Array.isArray(members))
    return { problem: 'is no JSON object' };
  // the parser would take the last of several members with one name [8259 §4]
  const named = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined);
  const isFlat = Object.values(members).every((value) => typeof value !== 'object' || value === null);
  if (isFlat && named.length > Object.keys(members).length) return { problem: 'a member is there twice' };
  return personOf(Object.entries(members));
}

/** Reads CSV [RFC 4180]; the first record names the columns, in any order. */
async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<ListedRecord> {
  let header: readonly string[] | undefined;
  for await (const { line, cells } of csvRecords(chunks)) {
    if (header === undefined) {
      header = cells.map((cell) => cell.trim());
      const unknown = header.filter((name) => !(personMembers as readonly string[]).includes(name));
      const problem = unknown.length > 0 ? `there is no member ${JSON.stringify(unknown[0])}` : headerProblem(header);
      if (problem) throw new PeopleFileError(`line 1: ${problem}; the header may have ${personMembers.join(', ')}`);
      continue;
    }
    if (cells.length === 1 && cells[0] === '') continue;
    if (cells.length !== header.length) {
      yield { line, problem: `has ${cells.length} cells, and the header has ${header.length}` };
      continue;
    }
    const members = header.map((name, index) => [name, readCell(name, cells[index] ?? '')] as const);
    yield { line, ...personOf(members) };
  }
}

function headerProblem(header: readonly string[]): string | undefined {
  if (new Set(header).size < header.length) return 'a column is there twice';
  return header.includes('subject') ? undefined : 'there is no column subject';
}

/** An empty cell is null, but vouches for no address: some programs write `false` so. */
function readCell(name: string, cell: string): string | boolean | null {
  if (cell !== '') return cell;
  return name === 'email_verified' ? false : null;
}

function personOf(members: readonly (readonly [string, unknown])[]): { person: ListedPerson } | { problem: string } {
  const person = new Map<string, unknown>();
  for (const [name, stated] of members) {
    const value = flags.has(name) && stated !== null ? readFlag(stated) : stated;
    if (!(personMembers as readonly string[]).includes(name))
      return { problem: `there is no member ${JSON.stringify(name.slice(0, 50))}` };
    const isRight = value === null || typeof value === (flags.has(name) ? 'boolean' : 'string');
    if (!isRight) return { problem: `${name} is no ${flags.has(name) ? 'true or false' : 'text'}` };
    // the database accepts neither NUL nor lone surrogates
    if (typeof value === 'string' && /\0|\p{Surrogate}/u.test(value)) {
      return { problem: `${name} contains a NUL or half a character` };
    }
    person.set(name, value);
  }
  if (!person.get('subject')) return { problem: 'subject is missing' };
  return { person: Object.fromEntries(person) as unknown as ListedPerson };
}

interface CsvRecord {
  /** the line where the record begins */
  line: number;
  cells: string[];
}

async function* csvRecords(chunks: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  let record: CsvRecord = { line: 1, cells: [] };
  let [cell, size, line] = ['', 0, 1];
  let state: 'start' | 'plain' | 'quoted' | 'quote' = 'start';
  let isFirst = true;
  for await (const chunk of chunks) {
    // a byte order mark does not belong to the header
    for (const character of isFirst ? chunk.replace(/^\ufeff/, '') : chunk) {
      isFirst = false;
      if (character === '\n') line += 1;
      size += 1;
      if (size > longestRecord)
        throw new PeopleFileError(`the record from line ${record.line} on is longer than ${longestRecord} characters`);
      if (state === 'quoted') {
        if (character === '"') state = 'quote';
        else cell += character;
      } else if (character === '"' && state === 'quote') {
        cell += '"';
        state = 'quoted';
      } else if (character === '"' && state === 'start') {
        state = 'quoted';
      } else if (character === ',' || character === '\n') {
        record.cells.push(character === '\n' ? cell.replace(/\r$/, '') : cell);
        if (record.cells.length > mostColumns)
          throw new PeopleFileError(`line ${record.line} has more than ${mostColumns} cells`);
        [cell, state] = ['', 'start'];
        if (character === '\n') {
          yield record;
          [record, size] = [{ line, cells: [] }, 0];
        }
      } else {
        cell += character;
        if (state !== 'quote' || character !== '\r') state = 'plain';
      }
    }
  }
  if (state === 'quoted')
    throw new PeopleFileError(`the quote that begins in the record of line ${record.line} has no end`);
  if (cell !== '' || record.cells.length > 0) yield { ...record, cells: [...record.cells, cell.replace(/\r$/, '')] };
}

/** Cells that a spreadsheet would take for a formula. */
const formula = /^[=+\-@\t\r]/;

/** Writes a line of CSV. `isForSpreadsheets` puts an apostrophe before a cell that would be a formula in a spreadsheet. */
export function csvLine(values: readonly (string | boolean | null)[], isForSpreadsheets: boolean): string {
  const cells = values.map((value) => {
    const text = value === null ? '' : String(value);
    const cell = isForSpreadsheets && formula.test(text) ? `'${text}` : text;
    return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  });
  return cells.join(',');
}
