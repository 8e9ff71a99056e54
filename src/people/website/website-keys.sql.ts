import { isOver } from '../../clients/client-key-sets.sql.ts';
import type { JWK } from '../../lib/public-key.ts';
import { type Database, hasRow, row, sql } from '../../postgres/database.ts';

// The keys that the provider's website publishes at SIGN_IN_JWKS. Every time is one of the database.

export interface WebsiteKeySet {
  /** the last good set */
  keys: JWK[] | null;
  /** seconds since the set was fetched; negative if the clock went back */
  age: number | null;
}

const findStatement = sql(
  'find_website_keys',
  `select keys, date_part('epoch', clock_timestamp() - fetched_at) as age
   from website_key_sets
   where uri = $1`,
);

export function findWebsiteKeys(database: Database, uri: string): Promise<WebsiteKeySet | undefined> {
  return row(database, findStatement, [uri]);
}

/** Seconds between two fetches; longer than one takes. */
export const pauseBetweenFetches = 6;

const beginStatement = sql(
  'begin_fetch_of_website_keys',
  `insert into website_key_sets (uri, next_try_at)
   values ($1, now() + interval '${pauseBetweenFetches} seconds')
   on conflict (uri) do update
   set next_try_at = excluded.next_try_at
   where ${isOver('website_key_sets.next_try_at', pauseBetweenFetches)}
   returning uri`,
);

/** Claims the fetch of the keys; false during the pause after a fetch began, here or in another instance. */
export function beginFetchOfWebsiteKeys(database: Database, uri: string): Promise<boolean> {
  return hasRow(database, beginStatement, [uri]);
}

const keepStatement = sql(
  'keep_website_keys',
  `update website_key_sets
   set keys = $2,
     fetched_at = now()
   where uri = $1`,
);

export async function keepWebsiteKeys(database: Database, uri: string, keys: readonly JWK[]): Promise<void> {
  await row(database, keepStatement, [uri, JSON.stringify(keys)]);
}
