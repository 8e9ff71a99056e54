import { isEnabled } from '../identity/active.sql.ts';
import { type SelfStatement, withDefaults } from '../lib/client-members.ts';
import { type Database, row, rows, sql } from '../postgres/database.ts';
import { type RegistrationOutcome, tryRegistration } from './client-registration.sql.ts';
import { isBarred } from './self-registrations.sql.ts';

// Clients that are registered as a metadata document at their client_id describes them.

/**
 * `fresh`: fetched, and not due to be fetched again; `ageing`: soon due; `stale`: due, but still good if its site cannot be
 * reached; `over`: too old for that, or withdrawn; `barred`: an operator has disabled a client of its site; `registered`: without a
 * document.
 */
export type DocumentState = 'registered' | 'fresh' | 'ageing' | 'stale' | 'over' | 'barred';

export interface KnownDocument {
  state: DocumentState;
  /** whether the document was fetched so recently that a missing key does not cause another fetch */
  is_recent: boolean;
  /** whether the client would work without its document, which has not withdrawn it */
  is_enabled: boolean;
  vouched: boolean;
}

/** A time in the future was set before the clock of the database went back. */
const isFetchedWithin = (interval: string) => `fetched_at between now() - interval '${interval}' and clock_timestamp()`;

const findDocumentStatement = sql(
  'find_client_document',
  `select case
       when client_documents.client_id is null then 'registered'
       when ${isBarred('$2')} then 'barred'
       when not ${isEnabled('clients')} then 'over'
       when fresh_until - (fresh_until - fetched_at) / 4 > now() and ${isFetchedWithin('1 day')} then 'fresh'
       when fresh_until > now() and ${isFetchedWithin('1 day')} then 'ageing'
       when fetched_at > now() - interval '1 day' then 'stale'
       else 'over' end as state,
     coalesce(${isFetchedWithin('1 minute')}, false) as is_recent,
     ${isEnabled('clients')} as is_enabled,
     vouched
   from clients
   left join client_documents using (client_id)
   where clients.client_id = $1
     and deleted_at is null`,
);

/** Undefined if there is no such client. `sites` are all to which its host can belong. */
export function findDocument(
  database: Database,
  client_id: string,
  sites: readonly string[],
): Promise<KnownDocument | undefined> {
  return row<KnownDocument>(database, findDocumentStatement, [client_id, sites]);
}

/** What a metadata document states; its host is the site. */
export type DocumentedClient = SelfStatement & {
  client_id: string;
  site_domain: string;
  offered_methods: string[] | null;
};

const keepStatement = sql('keep_client_document', 'select keep_client_document($1, fresh_for => $2)');

/** Stores what a document states; changes nothing if there are problems, or if the client was registered in another way in the meantime. */
export function keepClientDocument(
  database: Database,
  client: DocumentedClient,
  fresh_for: number,
): Promise<RegistrationOutcome> {
  return tryRegistration(database, keepStatement, client.site_domain, [withDefaults(client), fresh_for]);
}

const withdrawn = `update clients
   set disabled_at = now(),
     disabled_by_owner = true
   from client_documents
   where client_documents.client_id = clients.client_id
     and ${isEnabled('clients')}`;

const withdrawStatement = sql(
  'withdraw_client_document',
  `${withdrawn}
     and clients.client_id = $1`,
);

/** Withdraws a client whose site has removed the document. The client and its tokens work again when the document is back. */
export async function withdrawClientDocument(database: Database, client_id: string): Promise<void> {
  await row(database, withdrawStatement, [client_id]);
}

const withdrawAllStatement = sql(
  'withdraw_all_client_documents',
  `${withdrawn}
   returning clients.client_id`,
);

/**
 * Withdraws all clients with documents, when documents are switched off; the clients and their tokens work again when documents are on
 * and the document was fetched again.
 */
export async function withdrawAllDocuments(database: Database): Promise<number> {
  return (await rows(database, withdrawAllStatement)).length;
}
