import { type ToldTrace, type Trace, toldEvent, traceValues } from '../audit/audit.sql.ts';
import { bcryptCost } from '../lib/password-rules.ts';
import { type Database, hasRow, row, rows, sql } from '../postgres/database.ts';
import { isEnabled } from './active.sql.ts';
import { endOfAccess, rowsDeleted } from './end-of-access.sql.ts';
import { sessionsVersion } from './sessions.sql.ts';
import { lockedWays } from './ways-in.sql.ts';

/** What a sign-in needs. For an unknown or disabled user only `name` and `highest_cost` are set. */
export interface UserCredentials {
  user_id: number | null;
  username: string | null;
  /** null for a person who signs in elsewhere only */
  password_hash: string | null;
  /** whether the hash came with the account, and was not set here */
  is_imported: boolean;
  /** the name that was asked for, as names are compared */
  name: string;
  /** the highest bcrypt cost of any enabled user; null unless it is higher than the standard cost */
  highest_cost: number | null;
  /** the version from the row with the hash, see NewSession */
  sessions_version: string;
}

/** The stored hash of any kind. A plain bcrypt hash has a column of its own, in which the previous release looks for it. */
export const storedHash = 'coalesce(password_hash, password_bcrypt)';

/**
 * The digest by which a link to set a password notices that the account has another password or address than when the link was
 * made.
 */
export const accountDigest = (users: string, hash = storedHash.replace(/password_/g, `${users}.password_`)) =>
  `sha256(convert_to(concat_ws(E'\\n', coalesce(${hash}, ''), ${users}.email, ${users}.email_verified), 'UTF8'))`;

const setHash = (hash: string) => `password_bcrypt = case when ${hash} ~ '^\\$2[ab]\\$' then ${hash} end,
       password_hash = case when ${hash} !~ '^\\$2[ab]\\$' then ${hash} end`;

/** More code units than a name or an address can have. */
const longestName = 512;

/**
 * One statement and one row for every name, with as many index look-ups for an unknown name, so that timing does not reveal which
 * usernames exist. An exact username goes first: accounts that are older than the folding of names may differ in case only.
 */
const findCredentialsStatement = sql(
  'find_user_credentials',
  `select asked.name, person.user_id, person.username, ${storedHash.replace(/password_/g, 'person.password_')} as password_hash, ${sessionsVersion.replace(/users\./g, 'person.')} as sessions_version,
     coalesce(${storedHash.replace(/password_/g, 'person.password_')} = person.registered_password_bcrypt, false) as is_imported,
     (
       select max(substr(password_bcrypt, 5, 2)::integer)
       from users
       where ${isEnabled('users')}
         and substr(password_bcrypt, 5, 2)::integer > ${bcryptCost}
     ) as highest_cost
   from (select folded_name($1) as name) asked
   left join users person on person.user_id = coalesce(
     (
       select user_id
       from users
       where username = $1
         and ${isEnabled('users')}
     ), (
       select users.user_id
       from sign_in_names known
       join users on users.user_id = known.user_id
       where known.name = asked.name
         and known.name = any (names_of_user(users))
         and ${isEnabled('users')}
     ))`,
);

/** Finds the account by a username or a verified address, in any spelling that folds to it. */
export async function findUserCredentials(database: Database, username: string): Promise<UserCredentials> {
  const found = await row<UserCredentials>(database, findCredentialsStatement, [username.slice(0, longestName)]);
  const nobody = { user_id: null, username: null, password_hash: null, is_imported: false, highest_cost: null };
  return found ?? { ...nobody, sessions_version: '', name: username };
}

const registerRefusedStatement = sql(
  'register_refused_password',
  `insert into audit_events (event, user_id, detail, request_id, address)
   select 'sign_in_refused', coalesce($2, barred.user_id),
     case
       when $3 then 'wrong password'
       when $2 is not null then 'no password'
       when barred.user_id is not null then 'disabled'
       else 'unknown name'
     end, $4, $5
   from (select folded_name($1) as name) asked
   left join lateral (
     select users.user_id
     from sign_in_names known
     join users on users.user_id = known.user_id
     where $2::integer is null
       and known.name = asked.name
       and not ${isEnabled('users')}
       and known.name = any (names_of_user(users))
     limit 1
   ) barred on true
   returning user_id, detail`,
);

export interface RefusedPassword extends Trace {
  /** the name as it was typed */
  username: string;
  /** the number of an enabled account */
  user_id: number | null;
  has_password: boolean;
}

/**
 * Records why the password was refused, and whose account it was if that account is disabled. To keep the time equal for all names, the
 * name is looked for again only if there is no enabled account, which takes as long as writing the person of an account.
 */
export async function registerRefusedPassword(
  database: Database,
  { username, user_id, has_password, request_id, address }: RefusedPassword,
): Promise<{ user_id: number | null; detail: string }> {
  const values = [username.slice(0, longestName), user_id, has_password, request_id, address];
  const [written] = await rows<{ user_id: number | null; detail: string }>(database, registerRefusedStatement, values);
  return written ?? { user_id, detail: '' };
}

/** Changes the password and ends every session of the user. If two changes are simultaneous, one wins. */
const changeOwnPasswordStatement = sql(
  'change_own_password',
  `with changed as (
     update users
     set ${setHash('$3')},
       sessions_ended_at = case when $2 <> $3 then clock_timestamp() else sessions_ended_at end
     where user_id = $1
       and ${storedHash} = $2
       and ${sessionsVersion} = $9
       and ${isEnabled('users')}
     returning user_id, ${sessionsVersion} as sessions_version
   ), signed_out as (
     select user_id
     from changed
     where $2 <> $3
   ), ${endOfAccess('changed', 5, { condition: '$4', signedOut: 'signed_out' })}, ${toldEvent('password_changed', 'changed', 5)}
   select sessions_version from changed`,
);

export interface PasswordChange {
  user_id: number;
  oldHash: string;
  newHash: string;
  /** whether all grants of the user are revoked, too */
  ends_access: boolean;
  /** the version of the session that asks for the change */
  sessions_version: string;
}

/**
 * Changes the password and returns the new sessions_version; undefined when the stored hash is no longer `oldHash`, or sessions were
 * ended in the meantime. The hash that is stored already changes nothing and ends no session: only access ends, if `ends_access`.
 */
export async function changeOwnPassword(
  database: Database,
  { user_id, oldHash, newHash, ends_access, sessions_version }: PasswordChange,
  trace: ToldTrace,
): Promise<string | undefined> {
  const values = [user_id, oldHash, newHash, ends_access, ...traceValues(trace), sessions_version];
  return (await row<{ sessions_version: string }>(database, changeOwnPasswordStatement, values))?.sessions_version;
}

const removePasswordStatement = sql(
  'remove_own_password',
  `with ${lockedWays('$1', '$7')}, changed as (
     update users
     set password_bcrypt = null,
       password_hash = null
     from person
     where users.user_id = person.user_id
       and person.has_password
       and person.source = 'here'
       and exists (
         select
         from keys
         where keys.user_verified
           and keys.rp_id = $2)
     returning users.user_id
   ), ${toldEvent('password_changed', 'changed', 3, { detail: "'removed'" })}
   select user_id from changed`,
);

/**
 * Removes the password; false unless a passkey signs in alone at this host, or if somebody has ended the sessions of the person in the
 * meantime.
 */
export function removeOwnPassword(
  database: Database,
  { user_id, rp_id, sessions_version }: { user_id: number; rp_id: string; sessions_version: string },
  trace: ToldTrace,
): Promise<boolean> {
  return hasRow(database, removePasswordStatement, [user_id, rp_id, ...traceValues(trace), sessions_version]);
}

const setPasswordStatement = sql(
  'set_own_password',
  `with changed as (
     update users
     set ${setHash('$2')}
     where user_id = $1
       and ${storedHash} is null
       and source = 'here'
       and ${sessionsVersion} = $7
       and ${isEnabled('users')}
     returning user_id
   ), ${toldEvent('password_changed', 'changed', 3, { detail: "'set'" })}
   select user_id from changed`,
);

/** Sets the first password of a person; false if there is a password already, or if somebody has ended the sessions of the person meanwhile. */
export function setOwnPassword(
  database: Database,
  { user_id, password_hash, sessions_version }: { user_id: number; password_hash: string; sessions_version: string },
  trace: ToldTrace,
): Promise<boolean> {
  return hasRow(database, setPasswordStatement, [user_id, password_hash, ...traceValues(trace), sessions_version]);
}

const renewPasswordHashStatement = sql(
  'renew_password_hash',
  `with renewed as (
     update users
     set ${setHash('$3')}
     where user_id = $1
       and ${storedHash} = $2
     returning user_id, email, email_verified
   ), kept_links as (
     update mailed_links
     set account_sha256 = ${accountDigest('renewed', '$3')}
     from renewed
     where mailed_links.user_id = renewed.user_id
       and mailed_links.account_sha256 = ${accountDigest('renewed', '$2')}
   )
   select user_id from renewed`,
);

/** Stores another hash of the same password and ends neither a session nor a link. False when the stored hash is no longer `oldHash`. */
export function renewPasswordHash(
  database: Database,
  user_id: number,
  oldHash: string,
  newHash: string,
): Promise<boolean> {
  return hasRow(database, renewPasswordHashStatement, [user_id, oldHash, newHash]);
}

const changePasswordStatement = sql(
  'change_user_password',
  `with changed as (
     update users
     set ${setHash('$2')},
       sessions_ended_at = clock_timestamp()
     where user_id = $1
     returning user_id
   ), ended_links as (
     delete from mailed_links
     using changed
     where mailed_links.user_id = changed.user_id
       and mailed_links.purpose = 'reset'
   ), ${rowsDeleted('changed', 'sessions')}, ${toldEvent('password_changed', 'changed', 3)}
   select user_id from changed`,
);

/** Sets a password for an operator: it ends all sessions, and every link to a new password. */
export function changeUserPassword(
  database: Database,
  { user_id, password_hash }: { user_id: number; password_hash: string },
  trace: ToldTrace,
): Promise<boolean> {
  return hasRow(database, changePasswordStatement, [user_id, password_hash, ...traceValues(trace)]);
}
