import { type Database, hasRow, row, rows, sql } from '../../postgres/database.ts';
import { keptFor } from '../../postgres/kept.ts';
import { readOperatorsView } from '../../postgres/operators-connections.ts';
import { isEnabled } from '../active.sql.ts';

// The operator's view latchkey_accounts. What reads it: migrations/functions/view_query.sql.

/** A row of the view, with every value as text. */
export interface ViewAccount {
  subject: string | null;
  username: string | null;
  email: string | null;
  email_verified: boolean;
  name: string | null;
  password_hash: string | null;
  /** null if no known word is there */
  disabled: boolean | null;
  /** when the row was changed; null where that was not asked for */
  stamp: string | null;
}

const findViewStatement = sql(
  'find_view_of_accounts',
  `select view_query('name') is not null as is_there, view_query('updated_at') is not null as has_stamps`,
);

export interface ViewOfAccounts {
  is_there: boolean;
  has_stamps: boolean;
}

/** Whether there is a view; kept for a minute, since an operator makes it once. */
const kept = keptFor<ViewOfAccounts>(60_000);

export function findViewOfAccounts(database: Database): Promise<ViewOfAccounts> {
  const none = { is_there: false, has_stamps: false };
  return kept(database, async () => (await row<ViewOfAccounts>(database, findViewStatement)) ?? none);
}

const findInViewStatement = sql(
  'find_in_view',
  'select subject, username, email, email_verified, name, password_hash, disabled, stamp from find_in_view($1, $2)',
);

const findByNameStatement = sql(
  'find_in_view_by_name',
  `select subject, username, email, email_verified, name, password_hash, disabled, stamp
   from find_in_view('name', array[btrim($1::text), folded_name($1)])`,
);

/** At most two rows, for a username or address as typed, or folded. */
export function findInViewByName(database: Database, typed: string): Promise<ViewAccount[]> {
  return readOperatorsView<ViewAccount>(database, 'sign-in', findByNameStatement, [typed]);
}

export function findInViewBySubject(database: Database, subjects: readonly string[]): Promise<ViewAccount[]> {
  return readOperatorsView<ViewAccount>(database, 'comparison', findInViewStatement, ['subject', subjects]);
}

/** Finds at most a thousand rows changed since a stamp. */
export function findInViewByStamp(database: Database, stamp: string, subject: string): Promise<ViewAccount[]> {
  return readOperatorsView<ViewAccount>(database, 'comparison', findInViewStatement, ['updated_at', [stamp, subject]]);
}

const copyFromViewStatement = sql('copy_from_view', 'select copy_from_view($1, $2) as outcome');

/** Makes an account of a row. Returns `kept`, `known` if somebody here has that name by now, or why no account was made. */
export async function copyFromViewAccount(database: Database, typed: string, account: ViewAccount): Promise<string> {
  const copied = await row<{ outcome: string }>(database, copyFromViewStatement, [typed, JSON.stringify(account)]);
  return copied?.outcome ?? 'no answer';
}

const compareWithViewStatement = sql('compare_with_view', 'select compare_with_view($1, $2, $3, $4) as changed');

/** Compares accounts with the view and returns how many accounts were disabled, enabled, left or came back, or got another password. */
export async function compareWithView(
  database: Database,
  {
    accounts = [],
    gone = [],
    barred = [],
    passwords,
  }: { accounts?: ViewAccount[]; gone?: readonly string[]; barred?: readonly string[]; passwords: boolean },
): Promise<number> {
  const values = [JSON.stringify(accounts), gone, passwords, barred];
  return (await row<{ changed: number }>(database, compareWithViewStatement, values))?.changed ?? 0;
}

const findMissingStatement = sql('find_missing_in_view', 'select subject from missing_in_view($1) missing (subject)');

/**
 * Finds subjects for which the view has no row, or a row with no known word in `disabled`. A subject for which the view could not be
 * asked is not among them.
 */
export async function findMissingInView(database: Database, subjects: readonly string[]): Promise<Set<string>> {
  const missing = await readOperatorsView<{ subject: string }>(database, 'comparison', findMissingStatement, [
    subjects,
  ]);
  return new Set(missing.map(({ subject }) => subject));
}

export interface PersonOfView {
  user_id: number;
  subject: string;
  is_enabled: boolean;
  gone_there: boolean;
}

const listPeopleOfViewStatement = sql(
  'list_people_of_view',
  `select user_id, coalesce(subject, user_id::text) as subject, ${isEnabled('users')} as is_enabled, gone_there
   from users
   where source = 'view'
     and user_id > $1
     and deleted_at is null
   order by user_id
   limit $2`,
);

/** Lists accounts after a number, in the order of their numbers. */
export function listPeopleOfView(database: Database, after: number, limit: number): Promise<PersonOfView[]> {
  return rows<PersonOfView>(database, listPeopleOfViewStatement, [after, limit]);
}

const drawPeopleOfViewStatement = sql(
  'draw_people_of_view',
  `select coalesce(subject, user_id::text) as subject
   from users
   where source = 'view'
     and not is_admin
     and ${isEnabled('users')}
   order by random()
   limit $1`,
);

/** Draws enabled accounts at random: all of them, if there are no more than `limit`. */
export async function drawPeopleOfView(database: Database, limit: number): Promise<string[]> {
  const drawn = await rows<{ subject: string }>(database, drawPeopleOfViewStatement, [limit]);
  return drawn.map(({ subject }) => subject);
}

/** How far the comparison has come, see migrations/013_view_of_accounts.sql. */
export interface Comparison {
  stamps_since: string;
  after_stamp: string | null;
  after_subject: string;
  after_user: number;
  /** when the comparison was read */
  now: string;
}

/** A holder that hangs loses the comparison at this time. */
const held = `clock_timestamp() + interval '30 seconds'`;

const holdComparisonStatement = sql(
  'hold_view_comparison',
  `update view_comparison
   set holder = $1,
       held_until = ${held}
   where holder is not distinct from $1
      or held_until < clock_timestamp()
      -- of a clock that was ahead
      or held_until > clock_timestamp() + interval '1 minute'
   returning stamps_since::text as stamps_since, after_stamp::text as after_stamp, after_subject, after_user, now()::text as now`,
);

/** Takes the comparison for this instance; undefined while another instance compares. */
export function holdComparison(database: Database, holder: string): Promise<Comparison | undefined> {
  return row<Comparison>(database, holdComparisonStatement, [holder]);
}

const advanceComparisonStatement = sql(
  'advance_view_comparison',
  `update view_comparison
   set held_until = ${held},
       stamps_since = least($2::timestamptz, now()),
       after_stamp = $3,
       after_subject = $4,
       after_user = $5
   where holder = $1
   returning holder`,
);

/** Stores the progress of the comparison; false if another instance holds it now. */
export function advanceComparison(
  database: Database,
  holder: string,
  { stamps_since, after_stamp, after_subject, after_user }: Omit<Comparison, 'now'>,
): Promise<boolean> {
  return hasRow(database, advanceComparisonStatement, [holder, stamps_since, after_stamp, after_subject, after_user]);
}

const findViewColumnsStatement = sql(
  'find_view_columns',
  `select attname as name, format_type(atttypid, null) as type
   from pg_attribute
   where attrelid = to_regclass('latchkey_accounts')
     and attnum > 0
     and not attisdropped
   order by attnum`,
);

export function findViewColumns(database: Database): Promise<{ name: string; type: string }[]> {
  return rows(database, findViewColumnsStatement);
}

const explainViewStatement = sql('explain_view', 'select explain_view($1) as plan');

/** Explains how the view is read by `username`, `email`, `subject` or `updated_at`. */
export async function explainView(database: Database, by: string): Promise<string> {
  const [explained] = await readOperatorsView<{ plan: string }>(database, 'sign-in', explainViewStatement, [by]);
  return explained?.plan ?? '';
}
