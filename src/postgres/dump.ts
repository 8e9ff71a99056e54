import pg from 'pg';
import type { DatabaseAddress } from './hosts.ts';
import { withConnection } from './transaction.ts';

// A dump has one line for each row, as JSON after its first letter. The schema is not in it: migrations make it.

export interface DumpHeader {
  latchkey_backup: 1;
  made_at: string;
  /** numbers of the migrations that the database has applied */
  migrations: number[];
}

const rowsAtATime = 1000;
/** They are filled by the runner of the migrations. */
const ownTables = ['migrations', 'sql_functions'];

const listTables = `select relname::text as name
  from pg_class
  where relkind in ('r', 'p')
    and not relispartition
    and relnamespace = 'public'::regnamespace
    and relname <> all ($1)
  order by 1`;

/** Each table as it is at one moment, while others go on writing. */
export async function* dumpLines(address: DatabaseAddress, leftOut: readonly string[]): AsyncGenerator<string> {
  const client = new pg.Client({ ...address, application_name: 'latchkey-backup' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const header = await client.query(
      `select 1 as latchkey_backup, now() as made_at, (select array_agg(number order by number) from migrations) as migrations`,
    );
    yield `H${JSON.stringify(header.rows[0])}`;
    let count = 0;
    for (const { name } of (await client.query(listTables, [[...ownTables, ...leftOut]])).rows) {
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
    for (const { name, value } of (await client.query(listSequences)).rows) yield `S${JSON.stringify([name, value])}`;
    yield `E${count}`;
  } finally {
    await client.end();
  }
}

const listSequences = `select sequencename::text as name, last_value::text as value
  from pg_sequences
  where schemaname = 'public'
    and last_value is not null`;

/** Fills a migrated database, in one transaction; fails unless the dump is complete. The header was read before. */
export async function loadDump(address: DatabaseAddress, lines: AsyncIterator<string>): Promise<number> {
  return withConnection(address, async (client) => {
    await client.query('begin');
    // no triggers: each row is stored as it was, in any order
    await client.query('set local session_replication_role = replica');
    let table = '';
    let waiting: string[] = [];
    let count = 0;
    const flush = async () => {
      if (waiting.length === 0) return;
      await client.query(
        `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
        [`[${waiting.join(',')}]`],
      );
      count += waiting.length;
      waiting = [];
    };
    for (;;) {
      const { value: line = '', done } = await lines.next();
      if (done) throw new IncompleteDumpError();
      const rest = line.slice(1);
      if (line[0] !== 'R' || waiting.length === rowsAtATime) await flush();
      if (line[0] === 'R') waiting.push(rest);
      if (line[0] === 'T') {
        table = pg.escapeIdentifier(rest);
        // what the migrations have put there
        await client.query(`delete from ${table}`);
      }
      if (line[0] === 'S') await client.query('select setval($1::regclass, $2)', JSON.parse(rest));
      if (line[0] !== 'E') continue;
      if (count !== Number(rest)) throw new IncompleteDumpError();
      await client.query('commit');
      return count;
    }
  });
}

export class IncompleteDumpError extends Error {}
