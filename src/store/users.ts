import { type Database, row, rows, sql } from '../postgres/database.ts';
import { isEnabled } from './active.ts';
import { findPage, type Page } from './pagination.ts';

export interface User {
  user_id: number;
  username: string;
  email: string | null;
  email_verified: boolean;
  name: string | null;
  is_admin: boolean;
  created_at: Date;
  disabled_at: Date | null;
}

const columns = 'user_id, username, email, email_verified, name, is_admin, created_at, disabled_at';

const findUserStatement = sql(
  'find_user',
  `select ${columns}
   from users
   where user_id = $1
     and ${isEnabled('users')}`,
);

export function findUser(database: Database, user_id: number): Promise<User | undefined> {
  return row<User>(database, findUserStatement, [user_id]);
}

const findUserByNameStatement = sql('find_user_by_name', `select ${columns} from users where username = $1`);

/** Disabled users too: for administrators, not for requests. */
export function findUserByName(database: Database, username: string): Promise<User | undefined> {
  return row<User>(database, findUserByNameStatement, [username]);
}

const listUsersStatement = sql(
  'list_users',
  `select ${columns}
   from users
   where username > $1
   order by username
   limit $2`,
);

/** Ordered by username. */
export function listUsers(database: Database, after: string, limit: number): Promise<Page<User>> {
  return findPage<User>(database, listUsersStatement, [after], limit, ({ username }) => username);
}

const hasUsersStatement = sql('has_users', 'select user_id from users limit 1');

export async function hasUsers(database: Database): Promise<boolean> {
  return (await row(database, hasUsersStatement)) !== undefined;
}

const registerUserStatement = sql(
  'register_user',
  'select register_user(username => $1, password => $2, email => $3, name => $4) as user_id',
);

/** Throws the database's own sentence about what is wrong with the account. */
export async function registerUser(
  database: Database,
  user: { username: string; password: string; email: string | null; name: string | null },
): Promise<void> {
  await rows(database, registerUserStatement, [user.username, user.password, user.email, user.name]);
}

const registerNewUserStatement = sql(
  'register_new_user',
  `select register_user(username => $1, password => $2, email => $3, name => $4, is_admin => $5) as user_id
   where not exists (select from users where username = $1)`,
);

/** Like registerUser, but returns undefined and changes nothing when the username exists. */
export async function registerNewUser(
  database: Database,
  user: { username: string; password_bcrypt: string; email: string | null; name: string | null; is_admin: boolean },
): Promise<number | undefined> {
  const { username, password_bcrypt, email, name, is_admin } = user;
  const values = [username, password_bcrypt, email, name, is_admin];
  return (await row<{ user_id: number }>(database, registerNewUserStatement, values))?.user_id;
}

const changeProfileStatement = sql(
  'change_user_profile',
  `update users
   set name = coalesce($2, name),
       email_verified = email_verified and (email is not distinct from coalesce($3, email)),
       email = coalesce($3, email)
   where user_id = $1
     and ${isEnabled('users')}
   returning ${columns}`,
);

/** An undefined member stays as it is. A changed e-mail address is no longer verified, because only an operator verifies one. */
export function changeUserProfile(
  database: Database,
  user_id: number,
  profile: { name: string | undefined; email: string | undefined },
): Promise<User | undefined> {
  return row<User>(database, changeProfileStatement, [user_id, profile.name ?? null, profile.email ?? null]);
}

const enableUserStatement = sql(
  'enable_user',
  `update users
   set disabled_at = null
   where username = $1
   returning user_id`,
);

export async function enableUser(database: Database, username: string): Promise<boolean> {
  return (await row(database, enableUserStatement, [username])) !== undefined;
}

const disableUserStatement = sql(
  'disable_user',
  `update users
   set disabled_at = now()
   where username = $1
   returning user_id`,
);

export async function disableUser(database: Database, username: string): Promise<boolean> {
  return (await row(database, disableUserStatement, [username])) !== undefined;
}
