import { isEnabled } from '../identity/active.sql.ts';
import { type Database, hasRow, row, rows, sql } from '../postgres/database.ts';

/** The account is registered by the demo's seed, the client by the playground. */
export const demoAccount = { username: 'alice', password: 'wonderland' };
export const demoClient = 'playground';
/** Whose choice the demo's seed registers. */
export const albumsScope = 'albums:read';

const enableDemoClientStatement = sql(
  'enable_demo_client',
  `update clients
   set is_demo = true,
     disabled_at = case when not disabled_by_owner then disabled_at end,
     disabled_by_owner = false
   where client_id = $1
   returning disabled_at`,
);

/**
 * Marks the registered client as the demo's, and enables it if a start without the demo has disabled it. False when an operator
 * has: that stays.
 */
export async function enableDemoClient(database: Database): Promise<boolean> {
  const client = await row<{ disabled_at: Date | null }>(database, enableDemoClientStatement, [demoClient]);
  return client?.disabled_at === null;
}

const endDemoStatement = sql(
  'end_demo',
  `with disabled as (
     update clients
     set disabled_at = now(),
       disabled_by_owner = true
     where client_id = $1
       and is_demo
       and ${isEnabled('clients')}
   ), choice as (
     delete from choices
     where name = 'albums'
       and position('latchkey_demo.albums' in query) > 0
       and not exists (
         select
         from clients_with_scope($3, 2) others
         where others <> $1)
     returning scopes
   ), scope as (
     delete from scopes
     using choice
     where scopes.name = any (choice.scopes)
   )
   update users
   set is_admin = false
   where username = $2
     and is_demo
   returning coalesce(password_hash, password_bcrypt) as password_hash, disabled_at`,
);

/**
 * Disables the demo's client, withdraws its account's administrator role, and returns the account. The choice of albums ends with its
 * scope, unless another client asks for it.
 */
export function endDemo(
  database: Database,
): Promise<{ password_hash: string | null; disabled_at: Date | null } | undefined> {
  return row(database, endDemoStatement, [demoClient, demoAccount.username, albumsScope]);
}

const findDemoAccountStatement = sql(
  'find_demo_account',
  `select coalesce(password_hash, password_bcrypt) as password_hash
   from users
   where username = $1
     and is_demo`,
);

export function findDemoAccount(
  database: Database,
  username: string,
): Promise<{ password_hash: string | null } | undefined> {
  return row(database, findDemoAccountStatement, [username]);
}

const keepDemoAccountStatement = sql(
  'keep_demo_account',
  `update users
   set is_demo = false
   where username = $1
     and is_demo
     and coalesce(password_hash, password_bcrypt) is not distinct from $2`,
);

/** The account has a password of its own now, so it stays as an ordinary account. */
export async function keepDemoAccount(database: Database, password_hash: string | null): Promise<void> {
  await rows(database, keepDemoAccountStatement, [demoAccount.username, password_hash]);
}

const expireAccessTokenStatement = sql(
  'expire_access_token',
  `update access_tokens token
   set expires_at = now()
   from authorization_codes code
   where token.access_token_sha256 = $1
     and code.code_id = token.code_id
     and code.client_id = $2
   returning token.code_id`,
);

/** Lets the playground show an expired token without waiting for one. */
export function expireAccessToken(
  database: Database,
  access_token_sha256: Buffer,
  client_id: string,
): Promise<boolean> {
  return hasRow(database, expireAccessTokenStatement, [access_token_sha256, client_id]);
}
