import { type RecordedEvent, recordedEvent, recordedValues } from '../audit/audit.sql.ts';
import { takenFromPruning } from '../clients/origins.sql.ts';
import { isEnabled } from '../identity/active.sql.ts';
import { keepsNone } from '../identity/kept-elsewhere.sql.ts';
import type { User } from '../identity/users.sql.ts';
import { type Database, hasRow, row, sql } from '../postgres/database.ts';
import { isDuplicateIn } from '../postgres/database-errors.ts';
import { administrators, staysAdministered } from './administrators.sql.ts';

// What administrators do to accounts.

const disableStatement = sql(
  'disable_account',
  `with ${administrators('$2')}, ${takenFromPruning('user_id = $1')}, disabled as (
     update users
     set disabled_at = coalesce(disabled_at, now()),
       disabled_there = false
     where user_id = $1
       and deleted_at is null
       and (${isEnabled('users')} or disabled_there or exists (select from taken))
       and (not $2 or ${staysAdministered})
     returning user_id
   ), ${recordedEvent('disabled', 3)}
   select user_id from disabled`,
);

/**
 * Disables an account; a trigger ends its sessions, whatever disables it. False if it was disabled before, and for the last
 * administrator, if one must stay.
 */
export function disableAccount(
  database: Database,
  user_id: number,
  keepsOne: boolean,
  recorded: RecordedEvent,
): Promise<boolean> {
  return hasRow(database, disableStatement, [user_id, keepsOne, ...recordedValues(recorded)]);
}

const enableStatement = sql(
  'enable_account',
  `with enabled as (
     update users
     set disabled_at = null,
       disabled_there = false
     where user_id = $1
       and deleted_at is null
       and not (${isEnabled('users')})
     returning user_id
   ), ${recordedEvent('enabled', 2)}
   select user_id from enabled`,
);

/** Enables an account; false if it is not disabled. */
export function enableAccount(database: Database, user_id: number, recorded: RecordedEvent): Promise<boolean> {
  return hasRow(database, enableStatement, [user_id, ...recordedValues(recorded)]);
}

const makeAdministratorStatement = sql(
  'make_administrator',
  `with ${administrators('not $2')}, changed as (
     update users
     set is_admin = $2
     where user_id = $1
       and deleted_at is null
       and is_admin <> $2
       and ($2 or ${staysAdministered})
     returning user_id
   ), ${recordedEvent('changed', 3)}
   select user_id from changed`,
);

/** Makes a person an administrator, or an ordinary user; false if they are that already, and for the last administrator, who stays one. */
export function makeAdministrator(
  database: Database,
  user_id: number,
  is_admin: boolean,
  recorded: RecordedEvent,
): Promise<boolean> {
  return hasRow(database, makeAdministratorStatement, [user_id, is_admin, ...recordedValues(recorded)]);
}

/** A statement that changes a name or address; the table of sign-in names refuses one by which somebody else signs in. */
const changeStatement = sql(
  'change_account',
  `with changed as (
     update users
     set name = coalesce($2, name),
       email = coalesce($3, case when $4 then pending_email end, email),
       email_verified = case
         when $4 then coalesce($3, pending_email, email) is not null
         when not $4 then false
         else email_verified and coalesce($3 = email, true) end,
       pending_email = case when $4 is not true and $3::text is null then pending_email end
     where user_id = $1
       and deleted_at is null
       and ${keepsNone('users', { name: '$2::text is not null', email: '$3::text is not null or $4::boolean is not null' })}
       and ($6::jsonb is null or jsonb_build_object('name', name, 'email', email, 'email_verified', email_verified) = $6)
     returning user_id
   ), told as (
     insert into mails (kind, user_id, sealed)
     select 'address_replaced', user_id, $5::bytea
     from changed
     where $5::bytea is not null
   ), ended_links as (
     delete from mailed_links
     using changed
     where mailed_links.user_id = changed.user_id
       and ($3::text is not null or $4::boolean is not null)
   ), ${recordedEvent('changed', 7)}
   select user_id from changed`,
);

export interface AccountChange {
  user_id: number;
  name?: string | undefined;
  email?: string | undefined;
  /**
   * whether the operator vouches for the given address, or else for the pending or stored one; undefined: a stored address is as good as
   * before
   */
  is_vouched?: boolean | undefined;
  /** the mail to the address that is replaced */
  sealed_mail: Buffer | null;
  /** the row from which a form was made: nothing is changed if these values differ by now */
  shown?: Pick<User, 'name' | 'email' | 'email_verified'> | undefined;
}

/**
 * Changes an account; what is left out stays. An address that an operator decides on ends every link. False if somebody else signs in
 * with it, if the person is not as shown, or if a field is kept elsewhere.
 */
export async function changeAccount(
  database: Database,
  change: AccountChange,
  recorded: RecordedEvent,
): Promise<boolean> {
  const { user_id, name = null, email = null, is_vouched = null, sealed_mail, shown } = change;
  const expected = shown && { name: shown.name, email: shown.email, email_verified: shown.email_verified };
  const values = [user_id, name, email, is_vouched, sealed_mail, expected, ...recordedValues(recorded)];
  const changed = row(database, changeStatement, values).catch((error: unknown) => {
    if (isDuplicateIn(error, 'sign_in_names_pkey')) return undefined;
    throw error;
  });
  return (await changed) !== undefined;
}

const endSessionsStatement = sql(
  'end_sessions_of_user',
  `with noted as (
     update users
     set sessions_ended_at = clock_timestamp()
     where user_id = $1
     returning user_id
   ), ended as (
     delete from sessions
     using noted
     where sessions.user_id = noted.user_id
     returning sessions.user_id
   ), ${recordedEvent('ended', 2)}
   select count(*)::integer as sessions from ended`,
);

/** Ends all sessions of a person, and sign-ins that are half done; returns how many sessions there were. */
export async function endSessions(database: Database, user_id: number, recorded: RecordedEvent): Promise<number> {
  const values = [user_id, ...recordedValues(recorded)];
  return (await row<{ sessions: number }>(database, endSessionsStatement, values))?.sessions ?? 0;
}
