import { maxKept } from '../../clients/refusals.sql.ts';
import { type Database, rows, sql } from '../../postgres/database.ts';

/** A number of the last seven days. */
export interface Figure {
  count: number;
  /** whether there can be more: the statement reads a bounded number of rows */
  is_least: boolean;
}

export interface Figures {
  /** different people who gave the application permissions or used it, and who have not revoked them */
  people: Figure;
  tokens: Figure;
  refusals: Figure;
}

const findStatement = sql(
  'find_figures',
  `select wanted.client_id, people, grants_read = $2 as least_people, tokens::double precision, refused,
     refusals_read = least($2, ${maxKept}) as least_refused
   from unnest($1::text[]) wanted (client_id)
   cross join lateral newest_people(wanted.client_id, $2)
   cross join lateral (
     select coalesce(sum(total), 0) as tokens
     from issued_tokens
     where issued_tokens.client_id = wanted.client_id
       and day > (now() at time zone 'UTC')::date - 7) issued
   cross join lateral (
     select count(*) as refusals_read,
       count(*) filter (where error <> 'note' and happened_at > now() - interval '7 days')::integer as refused
     from (
       select error, happened_at
       from refusals
       where refusals.client_id = wanted.client_id
       order by refusal_id desc
       limit least($2, ${maxKept})) latest) refusing`,
);

interface Row {
  client_id: string;
  people: number;
  least_people: boolean;
  tokens: number;
  refused: number;
  least_refused: boolean;
}

/** Returns the figures of each of these clients, of whose grants and refusals it reads the newest: at most `limit` of each client. */
export async function findFigures(
  database: Database,
  client_ids: readonly string[],
  limit: number,
): Promise<Map<string, Figures>> {
  const found = await rows<Row>(database, findStatement, [client_ids, limit]);
  return new Map(
    found.map((one) => [
      one.client_id,
      {
        people: { count: one.people, is_least: one.least_people },
        tokens: { count: one.tokens, is_least: false },
        refusals: { count: one.refused, is_least: one.least_refused },
      },
    ]),
  );
}
