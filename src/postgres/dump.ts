import pg from 'pg';
import type { DatabaseAddress } from './hosts.ts';
import { withConnection } from './transaction.ts';

// A dump has one line for each row, as JSON after its first letter. The schema is not in it: migrations make it.

export interface DumpHeader {
  latchkey_backup: 1;
  made_at: string;
  /** the migrations that the database has applied */
  migrations: string[];
}

const rowsAtATime = 1000;
/** Tables that the migrations fill, and that are not copied. */
const filledByRunner = ['migrations', 'sql_functions'];

const listTables = `select relname::text as name
  from pg_class
  where relkind in ('r', 'p')
    and not relispartition
    and relnamespace = 'public'::regnamespace
    and relname <> all ($1)
  order by 1`;

/** Dumps each table as it is at one moment, while others go on writing. */
export async function* dumpLines(
  address: DatabaseAddress,
  isTaken: (table: string) => boolean,
): AsyncGenerator<string> {
  const client = new pg.Client({ ...address, application_name: 'latchkey-backup' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const header = await client.query(
      `select 1 as latchkey_backup, now() as made_at, (select array_agg(name order by number) from migrations) as migrations`,
    );
    yield `H${JSON.stringify(header.rows[0])}`;
    let count = 0;
    const { rows: found } = await client.query<{ name: string }>(listTables, [filledByRunner]);
    const tables = found.map(({ name }) => name).filter(isTaken);
    for (const name of tables) {
      yield `T${name}`;
      const table = pg.escapeIdentifier(name);
      await client.query(`declare found no scroll cursor for select row_to_json(${table})::text as line from ${table}`);
      for (;;) {
        const { rows } = await client.query(`fetch ${rowsAtATime} from found`);
        for (const { line } of rows) yield `R${line}`;
        count += rows.length;
        if (rows.length < rowsAtATime) break;
      }
      await client.query('close found');
    }
    // after all rows, so that no number in them is given again
    for (const { name, value } of (await client.query(listSequences, [tables])).rows)
      yield `S${JSON.stringify([name, value])}`;
    yield `E${count}`;
  } finally {
    await client.end();
  }
}

const listSequences = `select sequencename::text as name, last_value::text as value
  from pg_sequences
  join pg_depend on objid = format('public.%I', sequencename)::regclass and deptype in ('a', 'i')
  join pg_class on pg_class.oid = refobjid
  where schemaname = 'public'
    and last_value is not null
    and relname = any ($1)`;

/** Rows of a table that are inserted at once, and the number of the line of the first. */
interface Batch {
  table: string;
  first: number;
  rows: string[];
}

/** Fills a migrated database, in one transaction; fails unless the dump is complete. The header was read before. */
export async function loadDump(address: DatabaseAddress, lines: AsyncIterator<string>): Promise<number> {
  return withConnection(address, async (client) => {
    await client.query('begin');
    // without triggers, each row is stored as it was, in any order
    await client.query('set local session_replication_role = replica');
    let batch: Batch = { table: '', first: 2, rows: [] };
    let count = 0;
    for (let number = 2; ; number += 1) {
      const { value: line = '', done } = await lines.next();
      if (done) throw new IncompleteDumpError();
      const rest = line.slice(1);
      if (line[0] !== 'R' || batch.rows.length === rowsAtATime) {
        await insertRows(client, batch);
        count += batch.rows.length;
        batch = { ...batch, first: number, rows: [] };
      }
      if (line[0] === 'R') batch.rows.push(rest);
      if (line[0] === 'T') batch = { table: rest, first: number + 1, rows: [] };
      if (line[0] === 'T' || line[0] === 'S') await at(`line ${number}`, () => prepare(client, line));
      if (line[0] !== 'E') continue;
      if (count !== Number(rest)) throw new IncompleteDumpError();
      await client.query('commit');
      return count;
    }
  });
}

async function insertRows(client: pg.ClientBase, { table, first, rows }: Batch): Promise<void> {
  if (rows.length === 0) return;
  const place = () => {
    const broken = rows.findIndex((row) => !isJson(row));
    const lines = broken < 0 ? `lines ${first} to ${first + rows.length - 1}` : `line ${first + broken}`;
    return `${lines} (table ${table})`;
  };
  const name = pg.escapeIdentifier(table);
  await at(place, async () => {
    // leaves out generated columns, which the database computes again
    const { rows: columns } = await client.query(
      `select string_agg(quote_ident(attname), ', ') as list
       from pg_attribute
       where attrelid = $1::regclass
         and attnum > 0
         and not attisdropped
         and attgenerated = ''`,
      [name],
    );
    const { list } = columns[0];
    await client.query(
      `insert into ${name} (${list}) overriding system value select ${list} from json_populate_recordset(null::${name}, $1)`,
      [`[${rows.join(',')}]`],
    );
  });
}

/** Empties a table of what the migrations have put there, or sets a sequence. */
async function prepare(client: pg.ClientBase, line: string): Promise<void> {
  const rest = line.slice(1);
  if (line[0] === 'T') await client.query(`delete from ${pg.escapeIdentifier(rest)}`);
  else await client.query('select setval($1::regclass, $2)', JSON.parse(rest));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Adds to an error which part of the dump the database does not take; a full disk, for instance, is no damage of the dump. */
async function at(place: string | (() => string), work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isRefused = error instanceof pg.DatabaseError && /^(22|23|42)/.test(error.code ?? '');
    if (!isRefused && !(error instanceof SyntaxError)) throw error;
    throw new DamagedDumpError(`${typeof place === 'string' ? place : place()}: ${error.message}`);
  }
}

export class IncompleteDumpError extends Error {}
/** Thrown for a damaged dump; the message names the place. */
export class DamagedDumpError extends Error {}
