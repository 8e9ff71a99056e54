import { isOver, pauseAfterFetch } from '../../clients/client-key-sets.sql.ts';
import { type Database, hasRow, row, sql } from '../../postgres/database.ts';

// What providers publish, fetched by one instance for all of them. Every time is one of the database, in seconds from now.

export interface DocumentSource {
  /** the name of the provider */
  name: string;
  kind: 'metadata' | 'keys';
  uri: string;
}

export interface StoredDocument<T> {
  /** null if the document was never fetched */
  content: T | null;
  /** seconds since the document was fetched; negative if the clock went back */
  age: number | null;
  is_being_fetched: boolean;
  /** the end of the pause after the last fetch */
  next_fetch_in: number;
}

const seconds = (interval: string) => `extract(epoch from ${interval})::double precision`;

const findStatement = sql(
  'find_provider_document',
  `select content, ${seconds('clock_timestamp() - fetched_at')} as age, coalesce(fetching_until > now(), false) as is_being_fetched,
     ${seconds('next_try_at - clock_timestamp()')} as next_fetch_in
   from provider_documents
   where name = $1
     and kind = $2
     and uri = $3`,
);

export function findProviderDocument<T extends object>(
  database: Database,
  { name, kind, uri }: DocumentSource,
): Promise<StoredDocument<T> | undefined> {
  return row<StoredDocument<T>>(database, findStatement, [name, kind, uri]);
}

const longestFetch = 10;

const beginStatement = sql(
  'begin_fetch_of_provider_document',
  `insert into provider_documents (name, kind, uri, next_try_at, fetching_until)
   select name, $2, $3, now(), now() + interval '${longestFetch} seconds'
   from providers
   where name = $1
   on conflict (name, kind) do update
   set uri = excluded.uri,
     content = case when provider_documents.uri = excluded.uri then provider_documents.content end,
     fetched_at = case when provider_documents.uri = excluded.uri then provider_documents.fetched_at end,
     next_try_at = excluded.next_try_at,
     fetching_until = excluded.fetching_until
   where provider_documents.uri <> excluded.uri
     or ${isOver('provider_documents.next_try_at', pauseAfterFetch)}
       and ${isOver('provider_documents.fetching_until', longestFetch)}
   returning name`,
);

/** Claims the fetch of a document; false during the pause after a fetch, and while another instance is fetching. */
export function beginFetchOfDocument(database: Database, { name, kind, uri }: DocumentSource): Promise<boolean> {
  return hasRow(database, beginStatement, [name, kind, uri]);
}

const keepStatement = sql(
  'keep_provider_document',
  `update provider_documents
   set content = $4,
     fetched_at = now(),
     next_try_at = now() + interval '${pauseAfterFetch} seconds',
     fetching_until = null
   where name = $1
     and kind = $2
     and uri = $3`,
);

export async function keepDocument(
  database: Database,
  { name, kind, uri }: DocumentSource,
  content: object,
): Promise<void> {
  await row(database, keepStatement, [name, kind, uri, JSON.stringify(content)]);
}

const endStatement = sql(
  'end_fetch_of_provider_document',
  `update provider_documents
   set next_try_at = now() + interval '${pauseAfterFetch} seconds',
     fetching_until = null
   where name = $1
     and kind = $2
     and uri = $3`,
);

/** Ends a fetch that has brought no document: what is known stays. */
export async function endFetchOfDocument(database: Database, { name, kind, uri }: DocumentSource): Promise<void> {
  await row(database, endStatement, [name, kind, uri]);
}
