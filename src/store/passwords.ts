import { type Database, row, sql } from '../postgres/database.ts';
import { isEnabled } from './active.ts';
import type { Trace } from './audit-events.ts';

/** Whoever was signed in with the old password is signed out by the same statement; of two changes at once one wins. */
const changeOwnPasswordStatement = sql(
  'change_own_password',
  `with changed as (
     update users
     set password_bcrypt = $3
     where user_id = $1
       and password_bcrypt = $2
       and ${isEnabled('users')}
     returning user_id
   ), ended as (
     delete from sessions
     using changed
     where sessions.user_id = changed.user_id
   ), revoked as (
     update grants
     set revoked_at = now()
     from changed
     where $4
       and grants.user_id = changed.user_id
       and grants.revoked_at is null
     returning grants.client_id
   ), audit_event as (
     insert into audit_events (event, user_id, client_id, request_id, address)
     select distinct 'consent_revoked', $1::integer, client_id, $5, $6
     from revoked
   )
   select user_id from changed`,
);

export interface PasswordChange extends Trace {
  user_id: number;
  oldHash: string;
  newHash: string;
  /** whether every application loses what the person has allowed it, too */
  ends_access: boolean;
}

/** False when the old hash is no longer the one that was compared. */
export async function changeOwnPassword(database: Database, change: PasswordChange): Promise<boolean> {
  const { user_id, oldHash, newHash, ends_access, request_id, address } = change;
  const values = [user_id, oldHash, newHash, ends_access, request_id, address];
  return (await row(database, changeOwnPasswordStatement, values)) !== undefined;
}

const renewPasswordHashStatement = sql(
  'renew_password_hash',
  `update users
   set password_bcrypt = $3
   where user_id = $1
     and password_bcrypt = $2
   returning user_id`,
);

/** The same password, hashed anew: nobody is signed out. False when the old hash is no longer the one that was compared. */
export async function renewPasswordHash(
  database: Database,
  user_id: number,
  oldHash: string,
  newHash: string,
): Promise<boolean> {
  return (await row(database, renewPasswordHashStatement, [user_id, oldHash, newHash])) !== undefined;
}
