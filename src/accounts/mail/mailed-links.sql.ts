import {
  eventOf,
  eventValues,
  type OperatorsTrace,
  type RecordedEvent,
  recordedEvent,
  recordedValues,
  type ToldTrace,
  type Trace,
  toldEvent,
  traceValues,
} from '../../audit/audit.sql.ts';
import { isEnabled, isOpenLink } from '../../identity/active.sql.ts';
import { endOfAccess } from '../../identity/end-of-access.sql.ts';
import { keepsNone } from '../../identity/kept-elsewhere.sql.ts';
import { accountDigest, storedHash } from '../../identity/passwords.sql.ts';
import { sessionsVersion } from '../../identity/sessions.sql.ts';
import { type Database, hasRow, row, sql } from '../../postgres/database.ts';
import { isDuplicateIn } from '../../postgres/database-errors.ts';

// Links in mails. Only digests of their secrets are stored; the statement that makes a change uses its link up.

/** `reset`: to set a password. `address`: to prove that an address is one's own. `not_me`: to undo what somebody else has done. */
export type LinkPurpose = 'reset' | 'address' | 'not_me';

/**
 * A link that undoes, or replaces the address, counts as long as nobody has replaced the address by other means than a link: the
 * link that brings a former address back follows each address that the holder of the account confirms, and so an operator ends it.
 */
export const isOfPresentAddress = `(links.purpose = 'reset' or users.email is not distinct from links.detail ->> 'to')`;

/**
 * A mailed link to set a password counts for the account as it was; other links, and a link from an operator, are not bound to
 * that.
 */
const fits = (users: string) => `(links.account_sha256 is null or links.account_sha256 = ${accountDigest(users)})`;

/** Whether an operator has handed the link over: a holder of the account cannot end such a link. */
export const isFromOperator = (links: string) => `(${links}.purpose = 'reset' and ${links}.account_sha256 is null)`;

export interface NewLink {
  token_sha256: Buffer;
  purpose: LinkPurpose;
  user_id: number;
  address: string | null;
  detail: object;
  /** seconds */
  valid_for: number;
}

const issueStatement = sql(
  'issue_mailed_link',
  `insert into mailed_links as links (token_sha256, purpose, user_id, address, account_sha256, detail, expires_at)
   select $1, $2, users.user_id, $4, case when $2 = 'reset' then ${accountDigest('users')} end, $5, now() + make_interval(secs => $6)
   from users
   where users.user_id = $3
     and ($2 = 'reset' or users.email is not distinct from $5::jsonb ->> 'to')
     and ${isEnabled('users')}
   for share of users
   returning user_id`,
);

/**
 * Issues a link; waits for a simultaneous disabling of the account, which ends its links. False if the account is disabled, or if the
 * link would undo or replace an address that is not the present one any more. A mailed link ends earlier links when its mail has been
 * handed over.
 */
export function issueLink(database: Database, link: NewLink): Promise<boolean> {
  const { token_sha256, purpose, user_id, address, detail, valid_for } = link;
  return hasRow(database, issueStatement, [token_sha256, purpose, user_id, address, JSON.stringify(detail), valid_for]);
}

const issueByOperatorStatement = sql(
  'issue_link_by_operator',
  `with issued as (
     insert into mailed_links (token_sha256, purpose, user_id, expires_at)
     select $1, 'reset', user_id, now() + make_interval(secs => $3)
     from users
     where user_id = $2
       and ${isEnabled('users')}
     for share
     returning user_id
   ), ended as (
     delete from mailed_links
     using issued
     where mailed_links.user_id = issued.user_id
       and mailed_links.purpose = 'reset'
   ), ${recordedEvent('issued', 4)}
   select user_id from issued`,
);

/**
 * Issues a link to a new password that an operator hands over at once: it replaces all others. False if the account is disabled.
 */
export function issueLinkByOperator(
  database: Database,
  { token_sha256, user_id, valid_for }: Pick<NewLink, 'token_sha256' | 'user_id' | 'valid_for'>,
  recorded: RecordedEvent,
): Promise<boolean> {
  return hasRow(database, issueByOperatorStatement, [token_sha256, user_id, valid_for, ...recordedValues(recorded)]);
}

/** When the mail with link $4 was handed over, ends the earlier links of that person with the same purpose: a new password, or the proof of an address. */
export const endOlderLinks = `ended_links as (
     delete from mailed_links older
     using sent, mailed_links links
     where links.token_sha256 = $4
       and links.purpose in ('reset', 'address')
       and older.user_id = links.user_id
       and older.purpose = links.purpose
       and older.token_sha256 <> links.token_sha256
       and older.created_at <= links.created_at
       and not ${isFromOperator('older')}
   )`;

export interface MailedLink {
  user_id: number;
  username: string;
  email: string | null;
  address: string | null;
  detail: Record<string, string>;
  has_password: boolean;
  created_at: Date;
}

const findStatement = sql(
  'find_mailed_link',
  `select users.user_id, users.username, users.email, ${storedHash.replace(/password_/g, 'users.password_')} is not null as has_password,
     links.address, links.detail, links.created_at
   from mailed_links links
   join users on users.user_id = links.user_id
   where links.token_sha256 = $1
     and links.purpose = $2
     and ${isOpenLink}
     and ${fits('users')}
     and ${isOfPresentAddress}
     and ${isEnabled('users')}`,
);

/** Finds the link for its page, which changes nothing. */
export function findLink(
  database: Database,
  token_sha256: Buffer,
  purpose: LinkPurpose,
): Promise<MailedLink | undefined> {
  return row<MailedLink>(database, findStatement, [token_sha256, purpose]);
}

/** The used link, locked after its owner: if two links of a person are used at once, the second waits for the first. */
export const openedLink = (condition: string) => `owner as (
     select users.user_id, users.email
     from mailed_links links
     join users on users.user_id = links.user_id
     where links.token_sha256 = $1
     for no key update of users
   ), opened as (
     select links.token_sha256, links.user_id, links.purpose, links.address, links.detail, links.account_sha256, links.created_at
     from owner
     join mailed_links links on links.user_id = owner.user_id
     where links.token_sha256 = $1
       and ${condition}
       and ${isOpenLink}
     for update of links
   )`;

/**
 * Remembers by these digests the form that has used a link up, and the link: sent or opened once more, by a second click, they are
 * answered as the first time, for ten minutes at least.
 */
export const rememberedForm = (changed: string, digests: string, detail = 'null::jsonb') => `remembered as (
     insert into used_proofs (proof_sha256, expires_at, detail)
     select digest, now() + interval '10 minutes', ${detail}
     from ${changed}, unnest(${digests}::bytea[]) digest
     on conflict do nothing
   )`;

/** The `detail` of a link that was used, with its person. */
export const usedDetail = (changed: string): string =>
  `${changed}.detail || jsonb_build_object('user_id', ${changed}.user_id)`;

const findUsedStatement = sql(
  'find_used_link',
  `select (detail -> 'user_id')::integer as user_id, coalesce(detail, '{}') as detail
   from used_proofs
   where proof_sha256 = $1`,
);

/** Whose link was used, and the detail of the link; for the proof of an address neither. */
export interface UsedLink {
  user_id: number | null;
  detail: Record<string, string>;
}

/** Finds the link that the same form has used up a short time ago, or that was used in the same browser. */
export function findUsedLink(database: Database, digest: Buffer): Promise<UsedLink | undefined> {
  return row<UsedLink>(database, findUsedStatement, [digest]);
}

const setPasswordStatement = sql(
  'set_password_by_link',
  `with ${openedLink("links.purpose = 'reset'")}, changed as (
     update users
     set password_bcrypt = case when $2 ~ '^\\$2[ab]\\$' then $2 end,
         password_hash = case when $2 !~ '^\\$2[ab]\\$' then $2 end,
         password_reset_at = now(),
         sessions_ended_at = clock_timestamp()
     from opened links
     where users.user_id = links.user_id
       and ${fits('users')}
       and ${isEnabled('users')}
     returning users.user_id, links.detail, ${sessionsVersion} as sessions_version
   ), used as (
     delete from mailed_links
     using changed
     where mailed_links.user_id = changed.user_id
       and mailed_links.purpose = 'reset'
   ), ${rememberedForm('changed', '$8', usedDetail('changed'))}, ${endOfAccess('changed', 4, { condition: '$3' })}, ${toldEvent('password_reset', 'changed', 4)}
   select user_id, sessions_version from changed`,
);

export interface PasswordByLink {
  token_sha256: Buffer;
  hash: string;
  /** whether applications lose their access, too */
  ends_access: boolean;
  /** see rememberedForm */
  digests: readonly Buffer[];
}

/** Sets a password, uses the link up and ends all sessions. Undefined if the link is over, or somebody has used it at the same moment. */
export function setPasswordByLink(
  database: Database,
  { token_sha256, hash, ends_access, digests }: PasswordByLink,
  trace: ToldTrace,
): Promise<{ user_id: number; sessions_version: string } | undefined> {
  return row(database, setPasswordStatement, [token_sha256, hash, ends_access, ...traceValues(trace), digests]);
}

/**
 * Part of a statement that keeps a link which brings a former address back good while the holder of the account confirms other
 * addresses; a link that is over stays over.
 */
export const followAddress = (changed: string, condition = 'true') => `followed as (
     update mailed_links
     set detail = mailed_links.detail || jsonb_build_object('to', ${changed}.email)
     from ${changed}
     where mailed_links.user_id = ${changed}.user_id
       and mailed_links.purpose = 'not_me'
       and mailed_links.address is not null
       and mailed_links.detail ->> 'to' is not distinct from (select email from owner)
       and ${condition}
   )`;

const confirmAddressStatement = sql(
  'confirm_address',
  `with ${openedLink("links.purpose = 'address' and links.user_id = $2")}, changed as (
     update users
     set email = links.address,
         email_verified = true,
         pending_email = null
     from opened links
     where users.user_id = links.user_id
       and links.address = coalesce(nullif(users.pending_email, users.email), case when not users.email_verified then users.email end)
       and ${isOfPresentAddress}
       and ${isEnabled('users')}
       and ${keepsNone('users', { email: 'true' })}
     returning users.user_id, users.email
   ), used as (
     delete from mailed_links
     using changed
     where mailed_links.user_id = changed.user_id
       and mailed_links.purpose in ('address', 'reset')
       and not ${isFromOperator('mailed_links')}
   ), ${rememberedForm('changed', 'array[$3]')}, ${followAddress('changed')}, ${eventOf('address_confirmed', 'changed', 4)}
   select user_id from changed`,
);

/**
 * Makes the address the confirmed address of this person. `taken` if another account has got the address meanwhile, and false if
 * the link is over or the address was withdrawn.
 */
export function confirmAddress(
  database: Database,
  { token_sha256, form_sha256, user_id }: { token_sha256: Buffer; form_sha256: Buffer; user_id: number },
  trace: Trace,
): Promise<boolean | 'taken'> {
  const values = [token_sha256, user_id, form_sha256, ...eventValues(trace)];
  return unlessTaken(async () => hasRow(database, confirmAddressStatement, values));
}

/** Returns `taken` if the address belongs to another account, which a trigger finds, whatever changes it. */
export async function unlessTaken<T>(change: () => Promise<T>): Promise<T | 'taken'> {
  try {
    return await change();
  } catch (error) {
    if (isDuplicateIn(error, 'sign_in_names_pkey')) return 'taken';
    throw error;
  }
}

const queueResetLinkStatement = sql(
  'queue_reset_link',
  `with person as (
     select user_id
     from users
     where user_id = $1
       and source = 'here'
       and email_verified
       and ${storedHash} is not null
       and ${isEnabled('users')}
   ), queued as (
     insert into mails (kind, user_id, sealed)
     select 'reset_link', user_id, $2
     from person
   ), ${eventOf('reset_link_issued', 'person', 3, { detail: "'by mail'" })}
   select user_id from person`,
);

/** Queues the link for an operator. False for a person to whom no such mail can go. */
export function queueResetLink(
  database: Database,
  { user_id, sealed }: { user_id: number; sealed: Buffer },
  trace: OperatorsTrace,
): Promise<boolean> {
  return hasRow(database, queueResetLinkStatement, [user_id, sealed, ...eventValues(trace)]);
}
