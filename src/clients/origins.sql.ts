import { type Database, row, sql } from '../postgres/database.ts';
import type { Client, ClientOrigin } from './clients.sql.ts';

/** Whether nobody registered the client: it did so itself, or its metadata document stands for it. */
export const cameByItself = ({ origin }: Pick<Client, 'origin'>) => origin === 'application' || origin === 'document';

/** Like cameByItself, in a statement; the index clients_with_kept_logo has the same words. */
export const hasComeByItself = "clients.origin in ('application', 'document')";

/** Whether the scopes of the client are what it thought of when it came, and nobody else has decided on them, see askableScopes. */
export const mayAskForMore = (client: Client) => cameByItself(client) && !client.has_fixed_scopes;

/** What the client of a token may have of these scopes at a resource of another server, see mayAskForMore. */
export const registeredElsewhere = (scopes: string) => `case
       when ${hasComeByItself} and not clients.has_fixed_scopes then ${scopes}
       else clients.scopes end`;

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

/** The origin of what only seeds note. */
export async function findOriginInSeeds(
  database: Database,
  kind: 'scope' | 'group' | 'resource' | 'claim' | 'choice',
  key: string,
): Promise<Origin> {
  return (await row<Origin>(database, findOriginInSeedsStatement, [kind, key])) ?? noOrigin;
}
