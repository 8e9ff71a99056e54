import { type RecordedEvent, recordedEvent, recordedValues } from '../audit/audit.sql.ts';
import { isEnabled } from '../identity/active.sql.ts';
import { type Database, hasRow, sql } from '../postgres/database.ts';
import { takenFromPruning } from './origins.sql.ts';

// What operators and owners do with a client that is registered. Its registration: client-registration.ts; its secrets: client-secrets.ts.

const disableClientStatement = sql(
  'disable_client',
  `with ${takenFromPruning('client_id = $1')}, disabled as (
     update clients
     set disabled_at = least(disabled_at, now()),
       disabled_by_owner = false
     where client_id = $1
       and deleted_at is null
       and (${isEnabled('clients')} or disabled_by_owner or exists (select from taken))
     returning client_id
   ), ${recordedEvent('disabled', 2)}
   select client_id from disabled`,
);

/**
 * Disables a client for an operator, so that neither its owner nor a seed can enable it; false when there is no such client, or an
 * operator has disabled it before.
 */
export function disableClient(database: Database, client_id: string, recorded: RecordedEvent): Promise<boolean> {
  return hasRow(database, disableClientStatement, [client_id, ...recordedValues(recorded)]);
}

const disableApplicationStatement = sql(
  'disable_application',
  `with disabled as (
     update clients
     set disabled_at = now(),
       disabled_by_owner = true
     where client_id = $1
       and owner_id = $2
       and ${isEnabled('clients')}
     returning client_id
   ), ${recordedEvent('disabled', 3)}
   select client_id from disabled`,
);

/** Disables a client for its owner, who can enable it again; false when it is disabled already. */
export function disableApplication(
  database: Database,
  client_id: string,
  owner_id: number,
  recorded: RecordedEvent,
): Promise<boolean> {
  return hasRow(database, disableApplicationStatement, [client_id, owner_id, ...recordedValues(recorded)]);
}

const enableClientStatement = sql(
  'enable_client',
  `with enabled as (
     update clients
     set disabled_at = null,
       disabled_by_owner = false
     where client_id = $1
       and (disabled_by_owner or ($2 and not (${isEnabled('clients')})))
       and deleted_at is null
     returning client_id
   ), ${recordedEvent('enabled', 3)}
   select client_id from enabled`,
);

/** Enables a client; an owner can enable only what an owner disabled. False if the client is enabled already. */
export function enableClient(
  database: Database,
  client_id: string,
  by_admin: boolean,
  recorded: RecordedEvent,
): Promise<boolean> {
  return hasRow(database, enableClientStatement, [client_id, by_admin, ...recordedValues(recorded)]);
}

const vouchStatement = sql(
  'vouch_for_client',
  `with changed as (
     update clients
     set vouched = $2
     where client_id = $1
       and vouched <> $2
     returning client_id
   ), ${recordedEvent('changed', 3)}
   select client_id from changed`,
);

/** Marks a client as vouched for, or not; false if it was marked so before. */
export function vouchForClient(
  database: Database,
  client_id: string,
  vouched: boolean,
  recorded: RecordedEvent,
): Promise<boolean> {
  return hasRow(database, vouchStatement, [client_id, vouched, ...recordedValues(recorded)]);
}

const deleteClientStatement = sql(
  'delete_client',
  `with deleted as (
     update clients
     set deleted_at = now(),
       disabled_at = least(disabled_at, now()),
       owner_id = null
     where client_id = $1
       and deleted_at is null
     returning client_id
   ), ${recordedEvent('deleted', 2)}
   select client_id from deleted`,
);

/**
 * Deletes a client: its codes and tokens stop working and it leaves every list at once; the sweep deletes the rows later, a few at a
 * time.
 */
export function deleteClient(database: Database, client_id: string, recorded: RecordedEvent): Promise<boolean> {
  return hasRow(database, deleteClientStatement, [client_id, ...recordedValues(recorded)]);
}

const transferStatement = sql(
  'transfer_client',
  `with changed as (
     update clients
     set owner_id = users.user_id
     from users
     where clients.client_id = $1
       and clients.deleted_at is null
       and clients.owner_id is distinct from users.user_id
       and users.user_id = $2
       and ${isEnabled('users')}
     returning clients.client_id
   ), ${recordedEvent('changed', 3)}
   select client_id from changed`,
);

/**
 * Gives a client another owner; false when there is no such client, when the person owns it already, or when the person is disabled or
 * deleted. What its previous owner has written stays.
 */
export function transferClient(
  database: Database,
  client_id: string,
  owner_id: number,
  recorded: RecordedEvent,
): Promise<boolean> {
  return hasRow(database, transferStatement, [client_id, owner_id, ...recordedValues(recorded)]);
}

const revokeTokensStatement = sql(
  'revoke_tokens_of_client',
  `with revoked as (
     update clients
     set tokens_not_before = now()
     where client_id = $1
       and deleted_at is null
     returning client_id
   ), ${recordedEvent('revoked', 2)}
   select client_id from revoked`,
);

/** Revokes all codes and tokens of a client; what people allowed stays, so they are not asked again. */
export function revokeTokensOfClient(database: Database, client_id: string, recorded: RecordedEvent): Promise<boolean> {
  return hasRow(database, revokeTokensStatement, [client_id, ...recordedValues(recorded)]);
}
