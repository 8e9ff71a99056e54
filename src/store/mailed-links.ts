import { type Database, row, sql } from '../postgres/database.ts';
import { isDuplicateIn } from '../postgres/database-errors.ts';
import { isEnabled, isOpenLink } from './active.ts';
import { type ToldTrace, toldEvent, traceValues } from './audit.ts';
import { storedHash } from './passwords.ts';

// Links in mails. Only digests of their secrets are stored; each is used up by the statement that makes the change.

/** `reset`: to set a password. `address`: to prove that one has it. `not_me`: to undo what somebody else has done. */
export type LinkPurpose = 'reset' | 'address' | 'not_me';

/** By which a link to set a password notices that the account has another password or address than when it was made. */
const accountDigest = (users: string) =>
  `sha256(convert_to(concat_ws(E'\\n', coalesce(${storedHash.replace(/password_/g, `${users}.password_`)}, ''), ${users}.email, ${users}.email_verified), 'UTF8'))`;

/** What undoes a change of the address goes to the former one; another notice counts for whoever has the present one. */
const isOfPresentAddress = `(links.purpose <> 'not_me' or links.address is not null or users.email is not distinct from links.detail ->> 'to')`;

/** A link to set a password counts for the account as it was; the others are not bound to it. */
const fits = (users: string) => `(links.account_sha256 is null or links.account_sha256 = ${accountDigest(users)})`;

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
     and ${isEnabled('users')}
   on conflict (user_id, purpose) where purpose in ('reset', 'address') do update
   set token_sha256 = excluded.token_sha256,
       address = excluded.address,
       account_sha256 = excluded.account_sha256,
       detail = excluded.detail,
       created_at = excluded.created_at,
       expires_at = excluded.expires_at
   returning user_id`,
);

/** False if the account is disabled. A newer link to set a password, or to prove an address, replaces the one before. */
export async function issueLink(database: Database, link: NewLink): Promise<boolean> {
  const { token_sha256, purpose, user_id, address, detail, valid_for } = link;
  const values = [token_sha256, purpose, user_id, address, JSON.stringify(detail), valid_for];
  return (await row(database, issueStatement, values)) !== undefined;
}

export interface MailedLink {
  user_id: number;
  username: string;
  email: string | null;
  address: string | null;
  detail: Record<string, string>;
}

const findStatement = sql(
  'find_mailed_link',
  `select users.user_id, users.username, users.email, links.address, links.detail
   from mailed_links links
   join users on users.user_id = links.user_id
   where links.token_sha256 = $1
     and links.purpose = $2
     and ${isOpenLink}
     and ${fits('users')}
     and ${isOfPresentAddress}
     and ${isEnabled('users')}`,
);

/** For the page of the link, which changes nothing. */
export function findLink(
  database: Database,
  token_sha256: Buffer,
  purpose: LinkPurpose,
): Promise<MailedLink | undefined> {
  return row<MailedLink>(database, findStatement, [token_sha256, purpose]);
}

const openStatement = `select links.token_sha256, links.user_id, links.purpose, links.address, links.detail, links.account_sha256, links.created_at
     from mailed_links links
     where links.token_sha256 = $1
       and ${isOpenLink}`;

/** What a link has ended, with the events of it. */
const endOfAccess = (changed: string, condition: string, event: number) => `ended as (
     delete from sessions
     using ${changed}
     where sessions.user_id = ${changed}.user_id
   ), revoked as (
     update grants
     set revoked_at = now()
     from ${changed}
     where ${condition}
       and grants.user_id = ${changed}.user_id
       and grants.revoked_at is null
     returning grants.user_id, grants.client_id
   ), audit_event as (
     insert into audit_events (event, user_id, client_id, request_id, address)
     select distinct 'consent_revoked', user_id, client_id, $${event}, $${event + 1}
     from revoked
   )`;

const setPasswordStatement = sql(
  'set_password_by_link',
  `with opened as (
     ${openStatement}
       and links.purpose = 'reset'
     for update
   ), changed as (
     update users
     set password_bcrypt = case when $2 ~ '^\\$2[ab]\\$' then $2 end,
         password_hash = case when $2 !~ '^\\$2[ab]\\$' then $2 end,
         password_reset_at = now(),
         sessions_ended_at = clock_timestamp()
     from opened links
     where users.user_id = links.user_id
       and ${fits('users')}
       and ${isEnabled('users')}
     returning users.user_id
   ), used as (
     delete from mailed_links
     using changed
     where mailed_links.user_id = changed.user_id
       and mailed_links.purpose = 'reset'
   ), ${endOfAccess('changed', '$3', 4)}, ${toldEvent('password_reset', 'changed', 4)}
   select user_id from changed`,
);

export interface PasswordByLink {
  token_sha256: Buffer;
  hash: string;
  /** whether applications lose their access, too */
  ends_access: boolean;
}

/** Uses the link up and ends all sessions. False if it is over, or somebody has used it at the same moment. */
export async function setPasswordByLink(
  database: Database,
  { token_sha256, hash, ends_access }: PasswordByLink,
  trace: ToldTrace,
): Promise<boolean> {
  const values = [token_sha256, hash, ends_access, ...traceValues(trace)];
  return (await row(database, setPasswordStatement, values)) !== undefined;
}

const confirmAddressStatement = sql(
  'confirm_address',
  `with opened as (
     ${openStatement}
       and links.purpose = 'address'
       and links.user_id = $2
     for update
   ), changed as (
     update users
     set email = links.address,
         email_verified = true,
         pending_email = null
     from opened links
     where users.user_id = links.user_id
       and links.address = coalesce(nullif(users.pending_email, users.email), case when not users.email_verified then users.email end)
       and ${isEnabled('users')}
     returning users.user_id
   ), used as (
     delete from mailed_links
     using changed
     where mailed_links.user_id = changed.user_id
       and mailed_links.purpose in ('address', 'reset')
   )
   select user_id from changed`,
);

/**
 * Makes the address the confirmed one of this person. `taken` if another account has it meanwhile, and false if the link is over or the
 * address was withdrawn.
 */
export function confirmAddress(database: Database, token_sha256: Buffer, user_id: number): Promise<boolean | 'taken'> {
  return unlessTaken(async () => (await row(database, confirmAddressStatement, [token_sha256, user_id])) !== undefined);
}

/** The rule of one address for one account is kept by a trigger, for every door. */
async function unlessTaken<T>(change: () => Promise<T>): Promise<T | 'taken'> {
  try {
    return await change();
  } catch (error) {
    if (isDuplicateIn(error, 'sign_in_names_pkey')) return 'taken';
    throw error;
  }
}

const sinceOf = "coalesce((links.detail ->> 'since')::timestamptz, links.created_at)";

/** Whether one of these is left for the second step; without one, nobody could take it. */
const hasFactor = (apps: string, passkeys: string) => `(
           exists (select from totp_factors where totp_factors.user_id = links.user_id and ${apps})
           or exists (select from passkeys where passkeys.user_id = links.user_id and ${passkeys}))`;

const isOlder = (factors: string) => `${factors}.created_at < ${sinceOf}`;

/** Unless whoever reads the mailbox can have set it. */
const isOwnPassword = `coalesce(users.password_reset_at < ${sinceOf}, true)`;

const findNewFactorStatement = sql(
  'find_new_factor',
  `select ${isOwnPassword} and ${storedHash.replace(/password_/g, 'users.password_')} is not null as is_removable
   from mailed_links links
   join users on users.user_id = links.user_id
   where links.token_sha256 = $1
     and users.second_factor_since is not null
     and ${hasFactor(`not ${isOlder('totp_factors')}`, `not passkeys.user_verified and not ${isOlder('passkeys')}`)}`,
);

/** A second factor that was set up since the mail, and whether the password removes it; undefined if there is none. */
export function findNewFactor(
  database: Database,
  token_sha256: Buffer,
): Promise<{ is_removable: boolean } | undefined> {
  return row(database, findNewFactorStatement, [token_sha256]);
}

/** $2: whether the person has entered the password. */
const takesFactor = `($2 and ${isOwnPassword})`;

/** $5: the host at which this server has passkeys; those of a former one answer nowhere. */
const worksHere = 'passkeys.rp_id = $5';

/** Of somebody who had a second factor before: what is left of it. The codes go with a new app; those without a time are old. */
const keepsFactor = `(
           ${hasFactor(isOlder('totp_factors'), `${worksHere} and ${isOlder('passkeys')}`)}
           or (
             exists (select from recovery_codes where recovery_codes.user_id = links.user_id and ${isOlder('recovery_codes')} is not false)
             and not exists (select from totp_factors where totp_factors.user_id = links.user_id)))`;

const secureAccountStatement = sql(
  'secure_account',
  `with opened as (
     ${openStatement}
       and links.purpose = 'not_me'
     for update
   ), changed as (
     update users
     set email = coalesce(links.address, users.email),
         email_verified = users.email_verified or links.address is not null,
         pending_email = null,
         second_factor_since = case when not ${takesFactor} or (users.second_factor_since < ${sinceOf} and ${keepsFactor}) then users.second_factor_since end,
         factors_changed_at = clock_timestamp(),
         sessions_ended_at = clock_timestamp()
     from opened links
     where users.user_id = links.user_id
       and ${isOfPresentAddress}
       and ${isEnabled('users')}
     returning users.user_id, users.second_factor_since is not null as has_second_factor, ${takesFactor} as takes_factor,
       ${hasFactor('true', `${worksHere} and (${isOlder('passkeys')} or not passkeys.user_verified)`)} as has_other_factor,
       ${takesFactor} or ${hasFactor('true', worksHere)} as can_lose_codes,
       ${sinceOf} as since, links.detail ->> 'client_id' as client_id, ${accountDigest('users')} as account_sha256,
       $3::bytea is not null and ${storedHash.replace(/password_/g, 'users.password_')} is not null as has_next
   ), used as (
     delete from mailed_links
     using changed
     where mailed_links.user_id = changed.user_id
       and not (mailed_links.purpose = 'reset' and changed.has_next)
   ), next as (
     insert into mailed_links (token_sha256, purpose, user_id, account_sha256, expires_at)
     select $3, 'reset', user_id, account_sha256, now() + make_interval(secs => $4)
     from changed
     where has_next
     on conflict (user_id, purpose) where purpose in ('reset', 'address') do update
     set token_sha256 = excluded.token_sha256,
         address = null,
         account_sha256 = excluded.account_sha256,
         detail = excluded.detail,
         created_at = excluded.created_at,
         expires_at = excluded.expires_at
   ), unlinked as (
     delete from identities
     using changed
     where identities.user_id = changed.user_id
       and identities.linked_at >= changed.since
   ), lost_keys as (
     delete from passkeys
     using changed
     where passkeys.user_id = changed.user_id
       and passkeys.created_at >= changed.since
       and (changed.takes_factor or not changed.has_second_factor or (passkeys.user_verified and changed.has_other_factor))
     returning passkeys.user_id
   ), lower_keys as (
     update passkeys
     set user_verified = false
     from changed
     where passkeys.user_id = changed.user_id
       and passkeys.created_at >= changed.since
       and changed.has_second_factor
       and not changed.takes_factor
       and not changed.has_other_factor
   ), lost_app as (
     delete from totp_factors
     using changed
     where totp_factors.user_id = changed.user_id
       and totp_factors.created_at >= changed.since
       and changed.takes_factor
     returning totp_factors.user_id
   ), lost_codes as (
     delete from recovery_codes
     using changed
     where recovery_codes.user_id = changed.user_id
       and (
         not changed.has_second_factor
         or exists (select from lost_app)
         or (changed.can_lose_codes and recovery_codes.created_at >= changed.since))
   ), ${endOfAccess('changed', '(grants.granted_at >= changed.since or grants.client_id = changed.client_id)', 6)}, lost_factor as (
     select user_id
     from changed
     where takes_factor
       and not has_second_factor
       and (exists (select from lost_app) or exists (select from lost_keys))
   ), ${toldEvent('second_factor_removed', 'lost_factor', 6)}, secured_event as (
     insert into audit_events (event, user_id, request_id, address)
     select 'account_secured', user_id, $6, $7
     from changed
   )
   select has_next, exists (select from lost_factor) as lost_factor from changed`,
);

export interface SecuredAccount {
  /** whether there is a link to a new password */
  has_next: boolean;
  lost_factor: boolean;
}

export interface Undoing {
  token_sha256: Buffer;
  has_proved_password: boolean;
  /** at which passkeys work */
  rp_id: string | undefined;
  /** the link to a new password; undefined where nobody has one */
  next: { token_sha256: Buffer; valid_for: number } | undefined;
}

/**
 * Undoes what was done since the mail: the address comes back, and all sessions end, and so do the accounts elsewhere that were connected,
 * the passkeys that were added, the applications that were allowed since, and every other link. Recovery codes that were made since
 * end, too, where something else is left for the second step. A second factor that was set up since ends
 * only with the password, if that is not from a mail either: whoever reads the mailbox alone turns none off. A passkey without which
 * nobody could take the second step stays as a second factor. The link to a new password is made in the same moment: whoever gets no
 * answer sends the form again, and goes on there.
 */
export function secureAccount(
  database: Database,
  { token_sha256, has_proved_password, rp_id = '', next }: Undoing,
  trace: ToldTrace,
): Promise<SecuredAccount | undefined | 'taken'> {
  const link = [next?.token_sha256 ?? null, next?.valid_for ?? 0];
  const values = [token_sha256, has_proved_password, ...link, rp_id, ...traceValues(trace)];
  return unlessTaken(() => row<SecuredAccount>(database, secureAccountStatement, values));
}
