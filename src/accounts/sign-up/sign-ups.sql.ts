import { type RecordedEvent, recordedEvent, recordedValues } from '../../audit/audit.sql.ts';
import { isOpenLink } from '../../identity/active.sql.ts';
import { sessionsVersion } from '../../identity/sessions.sql.ts';
import { type Database, hasRow, row, rows, sql } from '../../postgres/database.ts';
import { isDuplicateIn } from '../../postgres/database-errors.ts';
import { rememberedForm, usedDetail } from '../mail/mailed-links.sql.ts';

export interface NewSignUp {
  token_sha256: Buffer;
  address: string;
  detail: object;
  /** seconds */
  valid_for: number;
}

const issueStatement = sql(
  'issue_sign_up_link',
  `insert into sign_up_links (token_sha256, address, is_invitation, detail, expires_at)
   values ($1, $2, false, $3, now() + make_interval(secs => $4))`,
);

/** Issues a link, which ends the earlier links to its address when its mail has been handed over. */
export async function issueSignUp(database: Database, link: NewSignUp): Promise<void> {
  const { token_sha256, address, detail, valid_for } = link;
  await rows(database, issueStatement, [token_sha256, address, JSON.stringify(detail), valid_for]);
}

const inviteStatement = sql(
  'invite_user',
  `with ended as (
     delete from sign_up_links
     where $4
       and folded_name(address) = folded_name($2)
       and is_invitation
   ), invited as (
     insert into sign_up_links (token_sha256, address, is_invitation, expires_at)
     values ($1, $2, true, now() + make_interval(secs => $3))
     returning address
   ), ${recordedEvent('invited', 5)}
   select address from invited`,
);

export interface UserInvitation extends Omit<NewSignUp, 'detail'> {
  /** whether the operator hands the link over at once: it ends the earlier links now, not when a mail is handed over */
  is_handed_over: boolean;
}

export async function inviteUser(
  database: Database,
  { token_sha256, address, valid_for, is_handed_over }: UserInvitation,
  recorded: RecordedEvent,
): Promise<void> {
  const values = [token_sha256, address, valid_for, is_handed_over, ...recordedValues(recorded)];
  await rows(database, inviteStatement, values);
}

/** Ends the earlier sign-up links of an address, as `endOlderLinks` does. A sign-up that somebody asks for replaces no invitation. */
export const endOlderSignUps = `ended_sign_ups as (
     delete from sign_up_links older
     using sent, sign_up_links links
     where links.token_sha256 = $4
       and folded_name(older.address) = folded_name(links.address)
       and older.is_invitation = links.is_invitation
       and older.token_sha256 <> links.token_sha256
       and older.created_at <= links.created_at
   )`;

const renewStatement = sql(
  'renew_invitation_link',
  `insert into sign_up_links (token_sha256, address, is_invitation, expires_at)
   select $1, address, true, now() + make_interval(secs => $3)
   from sign_up_links
   where folded_name(address) = folded_name($2)
     and is_invitation
   order by created_at desc
   limit 1
   returning address`,
);

/** Gives an invitation another link when its mail is sent. False if the invitation was withdrawn or used in the meantime. */
export function renewInvitation(
  database: Database,
  { token_sha256, address, valid_for }: Pick<NewSignUp, 'token_sha256' | 'address' | 'valid_for'>,
): Promise<boolean> {
  return hasRow(database, renewStatement, [token_sha256, address, valid_for]);
}

export interface SignUp {
  address: string;
  detail: Record<string, string>;
}

const findStatement = sql(
  'find_sign_up_link',
  `select links.address, links.detail
   from sign_up_links links
   where links.token_sha256 = $1
     and (links.is_invitation or $2)
     and ${isOpenLink}`,
);

/** Finds a sign-up; `isOpen`: also one that somebody asked for without an invitation. */
export function findSignUp(database: Database, token_sha256: Buffer, isOpen: boolean): Promise<SignUp | undefined> {
  return row<SignUp>(database, findStatement, [token_sha256, isOpen]);
}

const isNameKnownStatement = sql('is_sign_in_name', 'select name from sign_in_names where name = folded_name($1)');

/** Whether somebody signs in with this name, also somebody who is disabled. */
export function isSignInName(database: Database, name: string): Promise<boolean> {
  return hasRow(database, isNameKnownStatement, [name]);
}

const findProblemStatement = sql(
  'find_problem_of_username',
  `select coalesce((check_username($1, true, $2))[1], case when exists (select from people_named($1, true)) then 'taken' end) as problem`,
);

/** Returns the rule that forbids this username to somebody who signs up, or `taken`. `own` are the names of this server. */
export async function findUsernameProblem(
  database: Database,
  username: string,
  own: readonly string[],
): Promise<string | undefined> {
  return (await row<{ problem: string | null }>(database, findProblemStatement, [username, own]))?.problem ?? undefined;
}

/**
 * Adds an account, and touches no row of somebody else, whatever name was chosen. Its number is no subject, since an operator may give
 * that subject to somebody who comes later.
 */
const registerStatement = sql(
  'register_by_sign_up',
  `with opened as (
     delete from sign_up_links links
     where links.token_sha256 = $1
       and (links.is_invitation or $4)
       and ${isOpenLink}
     returning links.address, links.detail, nextval(pg_get_serial_sequence('users', 'user_id'))::integer as user_id
   ), ended as (
     delete from sign_up_links
     using opened
     where folded_name(sign_up_links.address) = folded_name(opened.address)
       and sign_up_links.token_sha256 <> $1
   ), ${rememberedForm('opened', '$5', usedDetail('opened'))}
   insert into users (user_id, username, subject, password_bcrypt, password_hash, email, email_verified)
   overriding system value
   select user_id, $2, gen_random_uuid()::text, case when $3 ~ '^\\$2[ab]\\$' then $3 end, case when $3 !~ '^\\$2[ab]\\$' then $3 end, address, true
   from opened
   returning user_id, ${sessionsVersion} as sessions_version`,
);

export interface ChosenAccount {
  token_sha256: Buffer;
  username: string;
  hash: string;
  isOpen: boolean;
  /** see rememberedForm */
  digests: readonly Buffer[];
}

export interface NewAccount {
  user_id: number;
  /** see NewSession */
  sessions_version: string;
}

/** Registers the account; undefined if the link is over; `taken` if somebody has the name or the address, and then the link stays good. */
export async function registerBySignUp(
  database: Database,
  { token_sha256, username, hash, isOpen, digests }: ChosenAccount,
): Promise<NewAccount | undefined | 'taken'> {
  try {
    const values = [token_sha256, username, hash, isOpen, digests];
    return await row<NewAccount>(database, registerStatement, values);
  } catch (error) {
    if (isDuplicateIn(error, 'sign_in_names_pkey') || isDuplicateIn(error, 'users_username_unique')) return 'taken';
    throw error;
  }
}

const withdrawStatement = sql(
  'withdraw_invitation_of_user',
  `delete from sign_up_links
   where folded_name(address) = folded_name($1)
     and is_invitation
   returning address`,
);

/** Withdraws an invitation; false if there is none. */
export function withdrawUserInvitation(database: Database, address: string): Promise<boolean> {
  return hasRow(database, withdrawStatement, [address]);
}
