import { type ToldTrace, toldEvent, traceValues } from '../../audit/audit.sql.ts';
import { isEnabled } from '../../identity/active.sql.ts';
import { endOfAccess } from '../../identity/end-of-access.sql.ts';
import { accountDigest, storedHash } from '../../identity/passwords.sql.ts';
import { lockedWays } from '../../identity/ways-in.sql.ts';
import { type Database, row, sql } from '../../postgres/database.ts';
import {
  followAddress,
  isFromOperator,
  isOfPresentAddress,
  openedLink,
  unlessTaken,
} from '../mail/mailed-links.sql.ts';

// “This was not me”: what a link of a mail takes back.

const since = (links: string) => `coalesce((${links}.detail ->> 'since')::timestamptz, ${links}.created_at)`;
const sinceOf = since('links');

/** Whether an app or a passkey is left for the second step; without one, nobody could take it. */
const hasFactor = (apps: string, passkeys: string) => `(
           exists (select from totp_factors where totp_factors.user_id = links.user_id and ${apps})
           or exists (select from passkeys where passkeys.user_id = links.user_id and ${passkeys}))`;

const isOlder = (factors: string) => `${factors}.created_at < ${sinceOf}`;

/** Whether the password is certainly the person's own: nobody who reads the mailbox can have set it since. */
const isOwnPassword = `coalesce(users.password_reset_at < ${sinceOf}, true)`;

/** `host`: where this server has passkeys; passkeys of a former host answer nowhere. */
const worksAt = (host: string) => `passkeys.rp_id = ${host}`;

/** Whether the second step needs no passkey that was added since and signs in alone: such a passkey ends, instead of being lowered. */
const hasOtherFactor = (host: string) =>
  hasFactor('true', `${worksAt(host)} and (${isOlder('passkeys')} or not passkeys.user_verified)`);

const findNewFactorStatement = sql(
  'find_new_factor',
  `select ${isOwnPassword} and ${storedHash.replace(/password_/g, 'users.password_')} is not null as is_removable, added.parts
   from (select $1::integer as user_id, null::jsonb as detail, $2::timestamptz as created_at) links
   join users on users.user_id = links.user_id
   cross join lateral (
     select json_agg(json_build_object('by', by, 'name', name, 'at', created_at) order by created_at) as parts
     from (
       select 'app' as by, null as name, created_at
       from totp_factors
       where totp_factors.user_id = links.user_id
         and not ${isOlder('totp_factors')}
       union all
       select 'passkey', name, created_at
       from passkeys
       where passkeys.user_id = links.user_id
         and not ${isOlder('passkeys')}
         and (not passkeys.user_verified or not ${hasOtherFactor('$3')})
       union all
       select 'codes', null, max(created_at)
       from recovery_codes
       where recovery_codes.user_id = links.user_id
         and not ${isOlder('recovery_codes')}
         and not ${hasFactor('true', worksAt('$3'))}
       having count(*) > 0) as parts) as added
   where users.second_factor_since is not null
     and added.parts is not null`,
);

/** What takes the second step: an app, a passkey or recovery codes. */
export interface FactorPart {
  by: 'app' | 'passkey' | 'codes';
  /** The name of a passkey. */
  name: string | null;
  at: Date;
}

export interface NewFactor {
  is_removable: boolean;
  parts: readonly FactorPart[];
}

/**
 * Finds a second factor from then or later that secureAccount leaves without the password, and whether the password removes it; undefined
 * if there is none.
 */
export async function findNewFactor(
  database: Database,
  { user_id, since, rp_id = '' }: { user_id: number; since: string; rp_id: string | undefined },
): Promise<NewFactor | undefined> {
  const found = await row<NewFactor>(database, findNewFactorStatement, [user_id, since, rp_id]);
  // JSON has no times
  return found && { ...found, parts: found.parts.map((part) => ({ ...part, at: new Date(part.at) })) };
}

/** $2: whether the person has entered the password. */
const takesFactor = `($2 and ${isOwnPassword})`;

const worksHere = worksAt('$5');

/** Whether somebody who had a second factor before keeps a factor. Recovery codes go with a new app; codes without a time are old. */
const keepsFactor = `(
           ${hasFactor(isOlder('totp_factors'), `${worksHere} and ${isOlder('passkeys')}`)}
           or (
             exists (select from recovery_codes where recovery_codes.user_id = links.user_id and ${isOlder('recovery_codes')} is not false)
             and not exists (select from totp_factors where totp_factors.user_id = links.user_id)))`;

/**
 * Whether an identity was added since the mail. The identity with which a provider created the account stays: the person has no other
 * way in.
 */
const isNewIdentity = (identities: string, person: string, start = sinceOf) =>
  `(${identities}.linked_at >= ${start} and ${identities}.linked_at > ${person}.created_at)`;

/** Reads the locked rows, instead of the rows from before the statement waited for the locks. */
const locked = (condition: string) =>
  condition
    .replace(/\btotp_factors\b/g, 'apps')
    .replace(/\bpasskeys\b/g, 'keys')
    .replace(/\brecovery_codes\b/g, 'codes');

const secureAccountStatement = sql(
  'secure_account',
  `with ${openedLink("links.purpose = 'not_me'")}, ${lockedWays('(select user_id from opened)')}, codes as (
     select user_id, created_at
     from recovery_codes
     where user_id = (select user_id from opened)
       and (select count(*) from apps) >= 0
     for update
   ), kept as (
     select exists (
         select
         from opened links
         cross join keys
         where keys.user_verified
           and keys.rp_id = $5
           and ${isOlder('keys')})
       or exists (
         select
         from opened links
         cross join person
         cross join linked
         join providers on linked.issuer = any (providers.issuers)
         where ${isEnabled('providers')}
           and not ${isNewIdentity('linked', 'person')})
       or exists (
         select
         from person
         where source in ('website', 'view')) as is_way_in
   ), changed as (
     update users
     set email = coalesce(links.address, users.email),
         email_verified = users.email_verified or links.address is not null,
         pending_email = null,
         second_factor_since = case when not ${takesFactor} or (users.second_factor_since < ${sinceOf} and ${locked(keepsFactor)}) then users.second_factor_since end,
         factors_changed_at = clock_timestamp(),
         sessions_ended_at = clock_timestamp()
     from opened links
     join person on person.user_id = links.user_id
     where users.user_id = person.user_id
       and ${isOfPresentAddress}
     returning users.user_id, users.email, users.second_factor_since is not null as has_second_factor, ${takesFactor} as takes_factor,
       ${locked(hasOtherFactor('$5'))} as has_other_factor,
       ${takesFactor} or ${locked(hasFactor('true', worksHere))} as can_lose_codes,
       ${sinceOf} as since, links.detail ->> 'client_id' as client_id, ${accountDigest('users')} as account_sha256,
       users.created_at, links.address is not null as brings_back,
       $3::bytea is not null and (person.has_password or not (select is_way_in from kept)) as has_next
   ), used as (
     delete from mailed_links
     using changed
     where mailed_links.user_id = changed.user_id
       and case mailed_links.purpose
         when 'not_me' then mailed_links.token_sha256 = $1 or changed.brings_back and ${since('mailed_links')} >= changed.since
         else not ${isFromOperator('mailed_links')} end
   ), ${followAddress('changed', `changed.brings_back and ${since('mailed_links')} < changed.since`)}, next as (
     insert into mailed_links (token_sha256, purpose, user_id, account_sha256, expires_at)
     select $3, 'reset', user_id, account_sha256, now() + make_interval(secs => $4)
     from changed
     where has_next
   ), unlinked as (
     delete from identities
     using changed
     where identities.user_id = changed.user_id
       and ${isNewIdentity('identities', 'changed', 'changed.since')}
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
   ), ${endOfAccess('changed', 6, { since: 'since', client_id: 'client_id' })}, lost_factor as (
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
   select has_next, has_next or (select is_way_in from kept) as has_way_in, exists (select from lost_factor) as lost_factor from changed`,
);

export interface SecuredAccount {
  /** whether there is a link to a new password */
  has_next: boolean;
  /** false if no way to sign in is left and there are no passwords */
  has_way_in: boolean;
  lost_factor: boolean;
}

export interface Undoing {
  token_sha256: Buffer;
  has_proved_password: boolean;
  /** the host at which passkeys work */
  rp_id: string | undefined;
  /** the link to a new password; undefined where nobody has one */
  next: { token_sha256: Buffer; valid_for: number } | undefined;
}

/**
 * Undoes what was done since the mail: the address comes back, and all sessions end, and so do the accounts elsewhere that were connected,
 * the passkeys that were added, and the applications that were allowed since. Links to undo what came before stay good, as does the one that
 * an operator has handed over. Recovery codes that were made since
 * end, too, where something else is left for the second step. A second factor that was set up since ends
 * only with the password, if that is not from a mail either: whoever reads the mailbox alone turns none off. A passkey without which
 * nobody could take the second step stays as a second factor. The link to a new password, for everybody who has one or would be left
 * without a way in, is made in the same moment: whoever gets no answer sends the form again, and goes on there.
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
