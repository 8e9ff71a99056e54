import { type Database, row, sql } from './database.ts';

/** Whoever was signed in with the old password is signed out by the same statement; of two changes at once one wins. */
const changeOwnPasswordStatement = sql(
  'change_own_password',
  `with changed as (
     update users
     set password_bcrypt = $3
     where user_id = $1
       and password_bcrypt = $2
       and disabled_at is null
     returning user_id
   ), ended as (
     delete from sessions
     using changed
     where sessions.user_id = changed.user_id
   )
   select user_id from changed`,
);

/** False when the old hash is no longer the one that was compared. */
export async function changeOwnPassword(
  database: Database,
  user_id: number,
  oldHash: string,
  newHash: string,
): Promise<boolean> {
  return (await row(database, changeOwnPasswordStatement, [user_id, oldHash, newHash])) !== undefined;
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
