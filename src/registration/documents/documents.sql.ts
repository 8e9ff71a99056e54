import { type RecordedEvent, recordedEvent, recordedValues } from '../../audit/audit.sql.ts';
import { changedClient, type RegistrationOutcome, tryRegistration } from '../../clients/client-registration.sql.ts';
import { withDefaults } from '../../lib/client-members.ts';
import { type Database, hasRow, rows, sql } from '../../postgres/database.ts';

// Metadata documents for local development. Each is the row of its client, which only one person may let in.

/** What a person states about the client; its redirection URIs lead to the device of that person. */
export interface DocumentStatement {
  name: string;
  redirect_uris: string[];
  scopes: string[];
}

const registerStatement = sql(
  'register_developer_document',
  `with registered as (
     select client_id
     from register_developer_document($1, $2) client_id
     where client_id is not null
   ), ${recordedEvent('registered', 3)}
   select client_id from registered`,
);

/** Registers nothing if there are problems, if the person has too many documents, or if there is a client of this id. */
export function registerDocument(
  database: Database,
  { user_id, client_id, ...stated }: DocumentStatement & { user_id: number; client_id: string },
  recorded: RecordedEvent,
): Promise<RegistrationOutcome> {
  const members = withDefaults({ ...stated, client_id, site_domain: 'localhost', vouched: false });
  return tryRegistration(database, registerStatement, null, [user_id, members, ...recordedValues(recorded)]);
}

const changeStatement = sql(
  'change_developer_document',
  `with own as (
     select client_id, has_fixed_scopes
     from clients
     where client_id = $1
       and only_for = $2
       and deleted_at is null
       and jsonb_build_object('name', name, 'redirect_uris', redirect_uris, 'scopes', scopes) = $4
     for update
   ), saved as (
     select save_client(client_id, $3 || jsonb_build_object('has_fixed_scopes', has_fixed_scopes), by_admin => false) as is_changed
     from own
   ), ${recordedEvent(changedClient, 5)}
   select is_changed from saved`,
);

interface DocumentChange {
  user_id: number;
  client_id: string;
  changes: DocumentStatement;
  /** what the form was compared with */
  shown: DocumentStatement;
}

/** Changes nothing if there are problems, or if the document is not the one that was shown. */
export function changeDocument(
  database: Database,
  { user_id, client_id, changes, shown }: DocumentChange,
  recorded: RecordedEvent,
): Promise<RegistrationOutcome> {
  const values = [client_id, user_id, changes, shown, ...recordedValues(recorded)];
  return tryRegistration(database, changeStatement, null, values);
}

const deleteStatement = sql(
  'delete_developer_document',
  `with deleted as (
     update clients
     set deleted_at = now(),
       disabled_at = least(disabled_at, now())
     where client_id = $1
       and only_for = $2
       and deleted_at is null
     returning client_id
   ), ${recordedEvent('deleted', 3)}
   select client_id from deleted`,
);

/** Deletes the document and its client; nothing of it works any more, and the sweep deletes the rest. */
export function deleteDocument(
  database: Database,
  { user_id, client_id }: { user_id: number; client_id: string },
  recorded: RecordedEvent,
): Promise<boolean> {
  return hasRow(database, deleteStatement, [client_id, user_id, ...recordedValues(recorded)]);
}

export interface ListedDocument {
  client_id: string;
  name: string;
}

const listStatement = sql(
  'list_developer_documents',
  `select client_id, name
   from clients
   where only_for = $1
     and deleted_at is null
   order by created_at, client_id`,
);

export function listDocuments(database: Database, user_id: number): Promise<ListedDocument[]> {
  return rows<ListedDocument>(database, listStatement, [user_id]);
}
