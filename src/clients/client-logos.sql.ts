import { isEnabled } from '../identity/active.sql.ts';
import { type Database, row, rows, sql } from '../postgres/database.ts';
import { isOver, longestFetch } from './client-key-sets.sql.ts';
import { hasComeByItself } from './origins.sql.ts';

// The logos of clients that nobody here registered and an administrator vouches for.

/** The first three conditions are those of the index clients_with_kept_logo. */
const hasKeptLogo = `clients.vouched
     and clients.logo_uri is not null
     and ${hasComeByItself}
     and ${isEnabled('clients')}`;

export interface DueLogo {
  client_id: string;
  uri: string;
}

/** Seconds from a fetch that failed to the next. */
const pauseAfterFailure = 86_400;

const isMissing = `client_logos.image is null
       and ${isOver('client_logos.next_try_at', pauseAfterFailure)}`;

const claimStatement = sql(
  'claim_due_logos',
  `insert into client_logos (client_id, uri, next_try_at)
   select clients.client_id, clients.logo_uri, clock_timestamp() + interval '${longestFetch} seconds'
   from clients
   left join client_logos on client_logos.client_id = clients.client_id
   where ${hasKeptLogo}
     and ($2 or clients.origin <> 'document')
     and (client_logos.uri is distinct from clients.logo_uri or ${isMissing})
   order by clients.client_id
   limit $1
   on conflict (client_id) do update
   set uri = excluded.uri,
     image = null,
     next_try_at = excluded.next_try_at
   where client_logos.uri <> excluded.uri
     or ${isMissing}
   returning client_id, uri`,
);

/** Claims the fetch of logos that are not here; no other instance fetches them meanwhile. `documents`: also of clients with documents. */
export function claimDueLogos(database: Database, limit: number, documents: boolean): Promise<DueLogo[]> {
  return rows<DueLogo>(database, claimStatement, [limit, documents]);
}

const keepStatement = sql(
  'keep_logo',
  `update client_logos
   set image = $3
   where client_id = $1
     and uri = $2
     and image is null`,
);

/** Keeps a logo that was fetched, unless there is one, as after another fetch, or the client was deleted or given another logo_uri. */
export async function keepLogo(database: Database, { client_id, uri }: DueLogo, image: Buffer): Promise<void> {
  await row(database, keepStatement, [client_id, uri, image]);
}

const postponeStatement = sql(
  'postpone_logo',
  `update client_logos
   set next_try_at = clock_timestamp() + interval '${pauseAfterFailure} seconds'
   where client_id = $1
     and uri = $2`,
);

/** Notes that the site has no logo that can be kept. */
export async function postponeLogo(database: Database, { client_id, uri }: DueLogo): Promise<void> {
  await row(database, postponeStatement, [client_id, uri]);
}

const keptLogos = `client_logos
   join clients on clients.client_id = client_logos.client_id and clients.logo_uri = client_logos.uri and ${hasKeptLogo}`;

const findDigestStatement = sql(
  'find_digest_of_logo',
  `select encode(digest, 'hex') as digest
   from ${keptLogos}
   where client_logos.client_id = $1
     and image is not null`,
);

/** Undefined if the logo of the client is not shown. */
export async function findDigestOfLogo(database: Database, client_id: string): Promise<string | undefined> {
  return (await row<{ digest: string }>(database, findDigestStatement, [client_id]))?.digest;
}

const findImageStatement = sql(
  'find_image_of_logo',
  `select image
   from ${keptLogos}
   where digest = $1
   limit 1`,
);

/** Undefined if no client with this logo is one whose logo is shown. */
export async function findImageOfLogo(database: Database, digest: Buffer): Promise<Buffer | undefined> {
  return (await row<{ image: Buffer }>(database, findImageStatement, [digest]))?.image;
}
