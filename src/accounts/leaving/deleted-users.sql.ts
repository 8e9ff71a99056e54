import type { Trace } from '../../audit/audit.sql.ts';
import { isEnabled } from '../../identity/active.sql.ts';
import { rowsDeleted } from '../../identity/end-of-access.sql.ts';
import { sessionsVersion } from '../../identity/sessions.sql.ts';
import { type Database, row, sql } from '../../postgres/database.ts';
import { administrators, staysAdministered } from '../administrators.sql.ts';

/**
 * Empties the row of the user, so that nobody can sign in and every code and token is refused, and ends what the user has left:
 * sessions, grants and applications.
 */
const deleteUserStatement = sql(
  'delete_user',
  `with ${administrators('true')}, deleted as (
     update users
     set deleted_at = now(),
       disabled_at = least(disabled_at, now()),
       imported_disabled = false,
       disabled_there = false,
       gone_there = false,
       kept_there = null,
       is_admin = false,
       is_demo = false,
       username = null,
       -- without it, the number would be the subject, and that may be somebody else's
       subject = case when subject is not null then gen_random_uuid()::text end,
       password_bcrypt = null,
       password_hash = null,
       registered_password_bcrypt = null,
       email = null,
       email_verified = false,
       pending_email = null,
       language = null,
       chosen_language = null,
       wants_notices = true,
       name = null,
       password_reset_at = null,
       second_factor_since = null,
       factors_changed_at = null,
       sessions_ended_at = null,
       second_factor_demanded_at = null,
       passkey_handle = null,
       -- the day of the deletion
       seen_on = default
     where user_id = $1
       and deleted_at is null
       and ($2::text is null or coalesce(password_hash, password_bcrypt) = $2)
       and ($5::text is null or (disabled_at is null and ${sessionsVersion} = $5))
       and ${staysAdministered}
     returning user_id
   ), ${rowsDeleted('deleted', 'sessions', 'totp_factors', 'recovery_codes', 'mails', 'mailed_links', 'seeded_rows', 'identities', 'passkeys', 'own_decisions', 'provider_sessions')}, revoked as (
     update grants
     set revoked_at = now()
     from deleted
     where grants.user_id = deleted.user_id
       and grants.revoked_at is null
     returning grants.client_id
   ), disabled as (
     update clients
     set disabled_at = least(clients.disabled_at, now()),
       disabled_by_owner = false,
       owner_id = null
     from deleted
     where clients.owner_id = deleted.user_id
     returning clients.client_id
   ), deleted_documents as (
     update clients
     set deleted_at = now(),
       disabled_at = least(clients.disabled_at, now())
     from deleted
     where clients.only_for = deleted.user_id
       and clients.deleted_at is null
   ), audit_event as (
     insert into audit_events (event, user_id, client_id, request_id, address)
     select event, user_id, client_id, $3, $4
     from deleted
     cross join lateral (
       select 'user_deleted' as event, null::text as client_id
       union all
       select distinct 'consent_revoked', client_id from revoked
       union all
       select 'client_disabled', client_id from disabled) events
   )
   select array(select client_id from disabled order by client_id) as disabled_clients
   from deleted`,
);

export interface Deletion extends Trace {
  user_id: number;
  /** the hash of the password that the person has entered; null: an operator deletes the user, or the person has no password */
  password_hash: string | null;
  /**
   * the version of the session in which the person asks: a person who is being disabled at this moment cannot remove what an operator
   * wants to look into
   */
  sessions_version?: string;
}

export interface DeletedUser {
  /** the client_ids of the applications that the user owned; only an administrator can enable them again */
  disabled_clients: string[];
}

/**
 * Deletes a user; undefined when the user is deleted already, has another password, is disabled or signed out by somebody now, or is the
 * last administrator.
 */
export function deleteUser(database: Database, deletion: Deletion): Promise<DeletedUser | undefined> {
  const { user_id, password_hash, request_id, address, sessions_version } = deletion;
  return row<DeletedUser>(database, deleteUserStatement, [
    user_id,
    password_hash,
    request_id,
    address,
    sessions_version,
  ]);
}

export type DeletionObstacle = 'deleted_already' | 'last_administrator';

const findObstacleStatement = sql(
  'find_deletion_obstacle',
  `select case
       when deleted_at is not null then 'deleted_already'
       when is_admin and ${isEnabled('users')} and not exists (
         select from (
           select user_id
           from users
           where is_admin
             and ${isEnabled('users')}) administrators
         where administrators.user_id <> $1) then 'last_administrator' end as obstacle
   from users
   where user_id = $1`,
);

/** Says why the user cannot be deleted; undefined when nothing prevents it. */
export async function findDeletionObstacle(database: Database, user_id: number): Promise<DeletionObstacle | undefined> {
  const found = await row<{ obstacle: DeletionObstacle | null }>(database, findObstacleStatement, [user_id]);
  return found?.obstacle ?? undefined;
}
