import { type Database, row, rows, sql } from '../postgres/database.ts';

/** What the demo registers: its seed the person, the playground its own client. */
export const demoAccount = { username: 'alice', password: 'wonderland' };
export const demoClient = 'playground';

const registerDemoClientStatement = sql(
  'register_demo_client',
  `update clients
   set is_demo = true,
       disabled_at = null
   where client_id = $1`,
);

/** Marks the client that has just been registered; a demo before this one may have been ended. */
export async function registerDemoClient(database: Database): Promise<void> {
  await rows(database, registerDemoClientStatement, [demoClient]);
}

const endDemoStatement = sql(
  'end_demo',
  `with disabled as (
     update clients
     set disabled_at = now()
     where client_id = $1
       and is_demo
       and disabled_at is null
   )
   update users
   set is_admin = false
   where username = $2
     and is_demo
   returning password_bcrypt, disabled_at`,
);

/** Disables the client of the demo, takes the administrator's role from its account, and returns that account. */
export function endDemo(
  database: Database,
): Promise<{ password_bcrypt: string; disabled_at: Date | null } | undefined> {
  return row(database, endDemoStatement, [demoClient, demoAccount.username]);
}

const findDemoAccountStatement = sql(
  'find_demo_account',
  `select password_bcrypt
   from users
   where username = $1
     and is_demo`,
);

export function findDemoAccount(
  database: Database,
  username: string,
): Promise<{ password_bcrypt: string } | undefined> {
  return row(database, findDemoAccountStatement, [username]);
}

const keepDemoAccountStatement = sql(
  'keep_demo_account',
  `update users
   set is_demo = false
   where username = $1
     and is_demo
     and password_bcrypt = $2`,
);

/** With this password it is an account like any other. */
export async function keepDemoAccount(database: Database, password_bcrypt: string): Promise<void> {
  await rows(database, keepDemoAccountStatement, [demoAccount.username, password_bcrypt]);
}
