import { type Database, rows, sql } from '../postgres/database.ts';

// in the order of the clients, so that two instances never wait for each other
const addStatement = sql(
  'add_issued_tokens',
  `insert into issued_tokens (client_id, day, total)
   select client_id, (now() at time zone 'UTC')::date, total
   from unnest($1::text[], $2::bigint[]) counted (client_id, total)
   order by client_id
   on conflict on constraint issued_tokens_pkey do update
   set total = issued_tokens.total + excluded.total`,
);

/** Adds numbers of tokens, by client, to the present day. */
export async function addIssuedTokens(database: Database, counted: ReadonlyMap<string, number>): Promise<void> {
  if (counted.size > 0) await rows(database, addStatement, [[...counted.keys()], [...counted.values()]]);
}
