import type { JWK } from '../lib/public-key.ts';
import { type Database, hasRow, row, sql } from '../postgres/database.ts';

// The keys that clients publish at their jwks_uri. Every time is one of the database, in seconds from now: by now(), the start of the
// statement, a fetch that has ended since then would seem to have ended before the clock went back.

/** What is known of the keys at the jwks_uri of a client; all members are null if the client has no jwks_uri. */
export interface PublishedKeys {
  /** the last set that could be read */
  published_keys: JWK[] | null;
  /** seconds since the keys were fetched; negative if the clock went back */
  published_keys_age: number | null;
  /** seconds until the keys may be fetched again */
  next_fetch_in: number | null;
  /** whether an instance is fetching the keys */
  is_being_fetched: boolean | null;
}

const seconds = (interval: string) => `extract(epoch from ${interval})::double precision`;

/** Joins the published keys to a statement about clients. */
export const publishedKeys = {
  columns: 'published_keys, published_keys_age, next_fetch_in, is_being_fetched',
  // the limit makes the planner look for the row of each client
  table: `lateral (
     select keys as published_keys,
       ${seconds('clock_timestamp() - fetched_at')} as published_keys_age,
       ${seconds('next_try_at - clock_timestamp()')} as next_fetch_in,
       coalesce(fetching_until > now(), false) as is_being_fetched
     from client_key_sets
     where client_key_sets.client_id = clients.client_id
       and client_key_sets.uri = clients.jwks_uri
     limit 1) published`,
};

interface KeySource {
  client_id: string;
  jwks_uri: string;
}

/**
 * A time that is over, or further ahead than `longest`: such a time was set before the clock of the database went back. By now(), which
 * is older in a statement that has waited for another one, a time that the other one has just set would be too far ahead.
 */
export const isOver = (column: string, longest: number) =>
  `(${column} is null
       or ${column} not between clock_timestamp() and clock_timestamp() + make_interval(secs => ${longest}))`;

/** A fetch takes fifteen seconds at most, with its wait for a place. */
export const longestFetch = 20;
/** Seconds from one fetch to the next. */
export const pauseAfterFetch = 30;

const beginStatement = sql(
  'begin_fetch_of_keys',
  `insert into client_key_sets (client_id, uri, next_try_at, fetching_until)
   select client_id, jwks_uri, now(), now() + interval '${longestFetch} seconds'
   from clients
   where client_id = $1
     and jwks_uri = $2
   on conflict (client_id) do update
   set uri = excluded.uri,
     keys = case when client_key_sets.uri = excluded.uri then client_key_sets.keys end,
     fetched_at = case when client_key_sets.uri = excluded.uri then client_key_sets.fetched_at end,
     next_try_at = excluded.next_try_at,
     fetching_until = excluded.fetching_until
   where client_key_sets.uri <> excluded.uri
     or ${isOver('client_key_sets.next_try_at', pauseAfterFetch)}
       and ${isOver('client_key_sets.fetching_until', longestFetch)}
   returning client_id`,
);

/** Claims the fetch of a client's keys; false during the pause after a fetch, and while another instance is fetching. */
export function beginFetchOfKeys(database: Database, { client_id, jwks_uri }: KeySource): Promise<boolean> {
  return hasRow(database, beginStatement, [client_id, jwks_uri]);
}

const keepStatement = sql(
  'keep_fetched_keys',
  `update client_key_sets
   set keys = $3,
     fetched_at = now(),
     next_try_at = now() + interval '${pauseAfterFetch} seconds',
     fetching_until = null
   where client_id = $1
     and uri = $2`,
);

export async function keepFetchedKeys(
  database: Database,
  { client_id, jwks_uri }: KeySource,
  keys: readonly JWK[],
): Promise<void> {
  await row(database, keepStatement, [client_id, jwks_uri, JSON.stringify(keys)]);
}

const endStatement = sql(
  'end_fetch_of_keys',
  `update client_key_sets
   set next_try_at = now() + make_interval(secs => $3),
     fetching_until = null
   where client_id = $1
     and uri = $2`,
);

/** Ends a fetch that has brought no set. If the site was asked, there is a pause before the next fetch. */
export async function endFetchOfKeys(
  database: Database,
  { client_id, jwks_uri }: KeySource,
  wasAsked: boolean,
): Promise<void> {
  await row(database, endStatement, [client_id, jwks_uri, wasAsked ? pauseAfterFetch : 0]);
}
