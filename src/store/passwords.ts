import { type Database, row, sql } from '../postgres/database.ts';
import { bcryptCost } from '../values/password-rules.ts';
import { isEnabled } from './active.ts';
import type { Trace } from './audit.ts';

/** What a sign-in needs. For an unknown or disabled user only `highest_cost` is set. */
export interface UserCredentials {
  user_id: number | null;
  password_bcrypt: string | null;
  /** the highest bcrypt cost of any enabled user; null unless it is higher than the standard cost */
  highest_cost: number | null;
}

/** One statement and one row for every name, so that timing does not reveal which usernames exist. */
const findCredentialsStatement = sql(
  'find_user_credentials',
  `select user_id, password_bcrypt, highest_cost
   from (
     select max(substr(password_bcrypt, 5, 2)::integer) as highest_cost
     from users
     where ${isEnabled('users')}
       and substr(password_bcrypt, 5, 2)::integer > ${bcryptCost}
   ) costs
   left join users
     on username = $1
     and ${isEnabled('users')}`,
);

export async function findUserCredentials(database: Database, username: string): Promise<UserCredentials> {
  const found = await row<UserCredentials>(database, findCredentialsStatement, [username]);
  return found ?? { user_id: null, password_bcrypt: null, highest_cost: null };
}

/** Ends every session of the user in the same statement. Of two simultaneous changes one wins. */
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
  /** whether all grants of the user are revoked, too */
  ends_access: boolean;
}

/** False when the stored hash is no longer `oldHash`. */
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

/** Stores another hash of the same password and ends no session. False when the stored hash is no longer `oldHash`. */
export async function renewPasswordHash(
  database: Database,
  user_id: number,
  oldHash: string,
  newHash: string,
): Promise<boolean> {
  return (await row(database, renewPasswordHashStatement, [user_id, oldHash, newHash])) !== undefined;
}

const changePasswordStatement = sql(
  'change_user_password',
  `update users
   set password_bcrypt = $2
   where username = $1
   returning user_id`,
);

/** By an operator. */
export async function changeUserPassword(
  database: Database,
  username: string,
  password_bcrypt: string,
): Promise<boolean> {
  return (await row(database, changePasswordStatement, [username, password_bcrypt])) !== undefined;
}
