import { type Database, row, sql } from '../postgres/database.ts';
import { isEnabled, isOfThisTime } from './active.ts';
import { type RegistrationOutcome, tryRegistration } from './client-registration.ts';
import { type StatedSecurity, statedSecurity } from './client-security.ts';

// Clients that are registered as a metadata document at their client_id describes them.

/**
 * `fresh`: fetched, and not due to be fetched again; `stale`: due, but still good if its site cannot be reached; `over`: too old
 * for that, or withdrawn; `registered`: without a document.
 */
export type DocumentState = 'registered' | 'fresh' | 'stale' | 'over';

const findStateStatement = sql(
  'find_client_document_state',
  `select case
       when client_documents.client_id is null then 'registered'
       when fresh_until > now() and ${isOfThisTime('fetched_at')} then 'fresh'
       when fetched_at > now() - interval '1 day' and ${isEnabled('clients')} then 'stale'
       else 'over' end as state
   from clients
   left join client_documents using (client_id)
   where clients.client_id = $1
     and deleted_at is null`,
);

/** Undefined if there is no such client. */
export async function findDocumentState(database: Database, client_id: string): Promise<DocumentState | undefined> {
  return (await row<{ state: DocumentState }>(database, findStateStatement, [client_id]))?.state;
}

/** What a metadata document states. */
export interface DocumentedClient {
  client_id: string;
  name: string;
  site_domain: string;
  redirect_uris: string[];
  scopes: string[];
  grant_types: string[];
  client_uri: string | null;
  logo_uri: string | null;
  policy_uri: string | null;
  tos_uri: string | null;
  security: StatedSecurity;
}

const keepStatement = sql(
  'keep_client_document',
  `select keep_client_document(
     client_id => $1, name => $2, site_domain => $3, redirect_uris => $4, scopes => $5, grant_types => $6,
     homepage_uri => $7, logo_uri => $8, fresh_for => $9, policy_uri => $11, tos_uri => $12, ${statedSecurity.arguments})
   from ${statedSecurity.from('$10')}`,
);

/** Changes nothing if there are problems, or if the client was registered in another way meanwhile. */
export function keepClientDocument(
  database: Database,
  client: DocumentedClient,
  fresh_for: number,
): Promise<RegistrationOutcome> {
  const { client_id, name, site_domain, redirect_uris, scopes, grant_types, client_uri, logo_uri } = client;
  const { policy_uri, tos_uri } = client;
  const stated = [client_id, name, site_domain, redirect_uris, scopes, grant_types, client_uri, logo_uri];
  return tryRegistration(database, keepStatement, site_domain, [
    ...stated,
    fresh_for,
    client.security,
    policy_uri,
    tos_uri,
  ]);
}

const withdrawStatement = sql(
  'withdraw_client_document',
  `update clients
   set disabled_at = now(),
     disabled_by_owner = true
   from client_documents
   where clients.client_id = $1
     and client_documents.client_id = clients.client_id
     and ${isEnabled('clients')}`,
);

/** After its site has removed the document. The client and its tokens work again when the document is back. */
export async function withdrawClientDocument(database: Database, client_id: string): Promise<void> {
  await row(database, withdrawStatement, [client_id]);
}
