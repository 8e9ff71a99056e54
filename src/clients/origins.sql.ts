import { type Database, row, sql } from '../postgres/database.ts';
import type { ClientOrigin } from './clients.sql.ts';

/** Part of a statement by which a seed enables what it has pruned and names again, unless an operator has disabled it, too. */
export const takenFromPruning = (isRow: string) => `taken as (
     update seeded_rows
     set pruned_at = null
     where ${isRow}
       and pruned_at is not null
     returning key
   )`;

/** Where a client, scope, group or resource came from, and whether a seed registers it. */
export interface Origin {
  origin: ClientOrigin | null;
  /** the seed that has registered or adopted it */
  seed: string | null;
  /** what was changed since the last run of the seed, and what the next run will set back */
  drift: string[];
}

const noOrigin: Origin = { origin: null, seed: null, drift: [] };

const findOriginStatement = sql(
  'find_origin_of_client',
  `select clients.origin, seeded_rows.seed, array(
       select left_value.key
       from jsonb_each(seeded_rows.state) left_value
       where left_value.value is distinct from seeded_state('client', to_jsonb(clients)) -> left_value.key
       order by left_value.key
     ) as drift
   from clients
   left join seeded_rows on seeded_rows.client_id = clients.client_id
   where clients.client_id = $1
     and deleted_at is null`,
);

export async function findOrigin(database: Database, client_id: string): Promise<Origin> {
  return (await row<Origin>(database, findOriginStatement, [client_id])) ?? noOrigin;
}

const findOriginInSeedsStatement = sql(
  'find_origin_in_seeds',
  `select null as origin, seed, array(
       select left_value.key
       from jsonb_each(state) left_value
       where left_value.value is distinct from seeded_state(kind, row_of_seed(kind, seeded_rows.key)) -> left_value.key
       order by left_value.key
     ) as drift
   from seeded_rows
   where kind = $1
     and key = $2`,
);

/** The origin of a scope, group or resource, which only seeds note. */
export async function findOriginInSeeds(
  database: Database,
  kind: 'scope' | 'group' | 'resource',
  key: string,
): Promise<Origin> {
  return (await row<Origin>(database, findOriginInSeedsStatement, [kind, key])) ?? noOrigin;
}
