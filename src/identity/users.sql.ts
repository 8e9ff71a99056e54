import { type RecordedEvent, recordedEvent, recordedValues } from '../audit/audit.sql.ts';
import { type Profile, type ProfileFieldName, profileFieldNames, type StoredProfile } from '../lib/profile.ts';
import { type Database, hasRow, row, rows, sql } from '../postgres/database.ts';
import { findPage, type Page } from '../postgres/pagination.sql.ts';
import { isEnabled, subjectOf } from './active.sql.ts';
import { keepsNone, keptElsewhere } from './kept-elsewhere.sql.ts';
import { storedHash } from './passwords.sql.ts';

export interface User extends StoredProfile {
  user_id: number;
  sub: string;
  /** who may speak for the account: `here`, `website`, `view` or `provider:NAME` */
  source: string;
  /** the fields that cannot be changed here, because the source states them */
  kept_elsewhere: ProfileFieldName[];
  username: string;
  has_password: boolean;
  /** whether a sign-in needs a second factor */
  has_second_factor: boolean;
  /** whether there is an app for codes; without one, the second factor is a security key, or a recovery code */
  has_app: boolean;
  is_admin: boolean;
  created_at: Date;
  disabled_at: Date | null;
  /** entered by the person, and not proved: beside a verified address, or where it can be proved by a mail */
  pending_email: string | null;
  /** whether the person wants mails that are no question of security */
  wants_notices: boolean;
}

export const userColumns = `user_id, ${subjectOf('users')} as sub, source, ${keptElsewhere('users')} as kept_elsewhere, username, ${storedHash} is not null as has_password, second_factor_since is not null as has_second_factor,
  exists (select from totp_factors where totp_factors.user_id = users.user_id) as has_app, ${profileFieldNames.join(', ')}, email_verified, is_admin, created_at, disabled_at, wants_notices,
  nullif(pending_email, email) as pending_email`;

const findUserStatement = sql(
  'find_user',
  `select ${userColumns}
   from users
   where user_id = $1
     and ${isEnabled('users')}`,
);

export function findUser(database: Database, user_id: number): Promise<User | undefined> {
  return row<User>(database, findUserStatement, [user_id]);
}

const findAnyStatement = sql(
  'find_any_user',
  `select ${userColumns}
   from users
   where user_id = $1
     and deleted_at is null`,
);

/** Disabled people, too. */
export function findAnyUser(database: Database, user_id: number): Promise<User | undefined> {
  return row<User>(database, findAnyStatement, [user_id]);
}

const listUsersNamedStatement = sql(
  'list_users_named',
  `select ${userColumns}
   from users
   where user_id in (select named.user_id from people_named($1) named)
   order by user_id`,
);

/**
 * Lists users with this name or subject: two if the text is the name of one person and the subject of another. Disabled users are
 * included: for administrators, not for requests.
 */
export function listUsersNamed(database: Database, text: string): Promise<User[]> {
  return rows<User>(database, listUsersNamedStatement, [text]);
}

/** Finds a person by a username or a verified address, in any spelling by which people sign in, or by a subject. */
export async function findUserByName(database: Database, text: string): Promise<User | 'ambiguous' | undefined> {
  const [user, other] = await listUsersNamed(database, text);
  return other ? 'ambiguous' : user;
}

export interface ListedUser extends User {
  /** how many passkeys sign in alone */
  passkeys: number;
}

const listUsersStatement = sql(
  'list_users',
  `select ${userColumns}, (
     select count(*)::integer
     from passkeys
     where passkeys.user_id = users.user_id
       and user_verified) as passkeys
   from users
   where username > $1
   order by username
   limit $2`,
);

/** Ordered by username. */
export function listUsers(database: Database, after: string, limit: number): Promise<Page<ListedUser>> {
  return findPage<ListedUser>(database, listUsersStatement, [after], limit, ({ username }) => username);
}

const hasUsersStatement = sql('has_users', 'select user_id from users where deleted_at is null limit 1');

export function hasUsers(database: Database): Promise<boolean> {
  return hasRow(database, hasUsersStatement);
}

const registerNewUserStatement = sql(
  'register_new_user',
  `with tried as (
     select register_user(username => $1, password_hash => $2, is_admin => $3, ${profileFieldNames.map((field, index) => `${field} => $${index + 4}`).join(', ')}) as user_id
     from set_config('latchkey.adds_new', 'yes', true)
   ), registered as (
     select user_id
     from tried
     where user_id is not null
   ), ${recordedEvent('registered', profileFieldNames.length + 4, { user_id: 'user_id' })}
   select user_id from registered`,
);

/** Registers a user and returns the number; if the username exists, changes nothing. */
export async function registerNewUser(
  database: Database,
  user: { username: string; password_hash: string | null; is_admin: boolean } & Partial<Profile>,
  recorded: RecordedEvent,
): Promise<number | undefined> {
  const values = [user.username, user.password_hash, user.is_admin, ...profileValues(user)];
  return (await row<{ user_id: number }>(database, registerNewUserStatement, [...values, ...recordedValues(recorded)]))
    ?.user_id;
}

const typed = (field: ProfileFieldName) => `$${profileFieldNames.indexOf(field) + 2}`;
/** Whether the address is pending, until a mail has proved it or an operator confirms it. */
const isKept = `(email_verified or $${profileFieldNames.length + 2})`;
const changed = (field: ProfileFieldName) =>
  field === 'email'
    ? `email = case when ${isKept} then email else coalesce(${typed('email')}, email) end`
    : `${field} = coalesce(${typed(field)}, ${field})`;

const areGiven = { name: `${typed('name')}::text is not null`, email: `${typed('email')}::text is not null` };

const shownColumns = [...profileFieldNames, 'pending_email'] as const;
const shownValues = `${profileFieldNames.map((field) => `'${field}', ${field}`).join(', ')}, 'pending_email', nullif(pending_email, email)`;

const changeProfileStatement = sql(
  'change_user_profile',
  `with earlier as (
     select user_id as id, jsonb_build_object(${shownValues}) as profile
     from users
     where user_id = $1
       and ${isEnabled('users')}
       and ${keepsNone('users', areGiven)}
     for update
   ), changed as (
     update users
     set ${profileFieldNames.map(changed).join(', ')},
         pending_email = case when ${isKept} then coalesce(${typed('email')}, pending_email) end
     from earlier
     where user_id = earlier.id
       and ($${profileFieldNames.length + 3}::jsonb is null or earlier.profile @> $${profileFieldNames.length + 3})
     returning ${userColumns}, jsonb_build_object(${shownValues}) <> earlier.profile as is_other
   ), other as (
     select
     from changed
     where is_other
   ), ${recordedEvent('other', profileFieldNames.length + 4)}
   select changed.* from changed`,
);

export interface ProfileChange {
  /** a field left out stays as it is */
  profile: { [field in ProfileFieldName]?: string | undefined };
  /** whether mails prove addresses: then every new one is pending at first */
  areProved: boolean;
  /** the row from which a form was made: nothing is changed if a field that can be changed here differs from it by now */
  shown?: User;
}

/** The person as they are now, and whether they were other before. */
export type ChangedUser = User & { is_other: boolean };

/**
 * A verified e-mail address stays as it is: another is pending beside it. There is an event if anything is other than before. Undefined
 * for a field that is kept elsewhere.
 */
export function changeUserProfile(
  database: Database,
  user_id: number,
  { profile, areProved, shown }: ProfileChange,
  recorded: RecordedEvent,
): Promise<ChangedUser | undefined> {
  const isShown = (column: (typeof shownColumns)[number]) =>
    !shown?.kept_elsewhere.includes(column === 'pending_email' ? 'email' : column);
  const expected = shown && Object.fromEntries(shownColumns.filter(isShown).map((column) => [column, shown[column]]));
  const values = [user_id, ...profileValues(profile), areProved, expected, ...recordedValues(recorded)];
  return row<ChangedUser>(database, changeProfileStatement, values);
}

function profileValues(profile: { [field in ProfileFieldName]?: string | null | undefined }): (string | null)[] {
  return profileFieldNames.map((field) => profile[field] ?? null);
}

const wantNoticesStatement = sql(
  'want_notices',
  `update users
   set wants_notices = $2
   where user_id = $1
     and wants_notices = $3
   returning user_id`,
);

/** Stores the choice of notices; false if it was changed since the form was shown. */
export function wantNotices(
  database: Database,
  user_id: number,
  wants_notices: boolean,
  shown: boolean,
): Promise<boolean> {
  return hasRow(database, wantNoticesStatement, [user_id, wants_notices, shown]);
}

const findLanguagesAndLastSeenStatement = sql(
  'find_languages_and_last_seen',
  `select language, chosen_language, seen_on::text
   from users
   where user_id = $1`,
);

/** The language in which the person signed in last, the language that they chose, and the day on which they were last seen, to the week. */
export function findLanguagesAndLastSeen(
  database: Database,
  user_id: number,
): Promise<{ language: string | null; chosen_language: string | null; seen_on: string } | undefined> {
  return row(database, findLanguagesAndLastSeenStatement, [user_id]);
}

const findLanguageStatement = sql('find_language_of_user', 'select language from users where user_id = $1');

/** The language in which the person signed in last. */
export async function findLanguage(database: Database, user_id: number): Promise<string | undefined> {
  return (await row<{ language: string | null }>(database, findLanguageStatement, [user_id]))?.language ?? undefined;
}

const chooseLanguageStatement = sql('choose_language', 'update users set chosen_language = $2 where user_id = $1');

export async function chooseLanguageOfUser(database: Database, user_id: number, language: string): Promise<void> {
  await rows(database, chooseLanguageStatement, [user_id, language]);
}

const ownsApplicationsStatement = sql('owns_applications', 'select client_id from clients where owner_id = $1 limit 1');

/** Whether the menu of this person leads to the developer console. */
export function ownsApplications(database: Database, user_id: number): Promise<boolean> {
  return hasRow(database, ownsApplicationsStatement, [user_id]);
}
