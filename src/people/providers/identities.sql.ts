import { type ToldTrace, type Trace, toldEvent, traceValues } from '../../audit/audit.sql.ts';
import { isEnabled } from '../../identity/active.sql.ts';
import { sessionsVersion } from '../../identity/sessions.sql.ts';
import { lockedWays } from '../../identity/ways-in.sql.ts';
import { type Database, hasRow, row, rows, sql } from '../../postgres/database.ts';

// Who people are at providers. An identity is an issuer with a subject, and belongs to one person.

/** The most identities of one person: the account page shows them all. */
export const maxIdentities = 20;

export interface Identity {
  issuer: string;
  subject: string;
}

export interface IdentityOfUser extends Identity {
  label: string | null;
  linked_at: Date;
  last_used_at: Date | null;
  /** the title of the provider; null if the provider is not registered any more */
  title: string | null;
  /** whether the person can sign in there: the provider is registered and enabled */
  works: boolean;
}

const listStatement = sql(
  'list_identities_of_user',
  `select issuer, subject, label, linked_at, last_used_at, provider.title, coalesce(provider.is_enabled, false) as works
   from identities
   left join lateral (
     select title, ${isEnabled('providers')} as is_enabled
     from providers
     where identities.issuer = any (providers.issuers)
     order by is_enabled desc
     limit 1) provider on true
   where user_id = $1
   order by linked_at, issuer, subject
   limit ${maxIdentities}`,
);

export function listIdentitiesOfUser(database: Database, user_id: number): Promise<IdentityOfUser[]> {
  return rows<IdentityOfUser>(database, listStatement, [user_id]);
}

/** What a provider says about somebody who comes from there. */
export interface PersonOfProvider extends Identity {
  provider: string;
  label: string | null;
  /** the account gets the first of these names that somebody who signs up could choose */
  usernames: string[];
  name: string | null;
  email: string | null;
  email_verified: boolean;
}

/** Names that a new person cannot have. */
export interface ForeignNames {
  /** names that this server keeps for itself */
  own: readonly string[];
  /** names of people in the operator's view */
  of_view: readonly string[];
}

export type RefusedEntry = 'provider_gone' | 'account_disabled' | 'no_account' | 'foreign_domain' | 'address_taken';

export type Entry =
  | { outcome: 'entered'; user_id: number; is_new: boolean }
  | { outcome: RefusedEntry; user_id: number | null; is_new: false };

const enterStatement = sql(
  'enter_by_identity',
  'select outcome, user_id, is_new from enter_by_identity($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
);

/** Finds the person to whom the identity is linked, or makes a new account where the provider creates accounts. */
export async function enterByIdentity(
  database: Database,
  person: PersonOfProvider,
  { own, of_view }: ForeignNames,
  { request_id, address }: Trace,
): Promise<Entry> {
  const { provider, issuer, subject, label, usernames, name, email, email_verified } = person;
  const values = [provider, issuer, subject, label, usernames, name, email, email_verified, request_id, address];
  const entry = await row<Entry>(database, enterStatement, [...values, own, of_view]);
  if (!entry) throw new Error('enter_by_identity gave no answer');
  return entry;
}

/**
 * If two accounts connect one identity at once, the first keeps it. A disabled provider connects no account, and only operators
 * connect administrators.
 */
const linkStatement = sql(
  'link_identity_of_user',
  `with person as (
     select user_id
     from users
     where user_id = $1
       and not is_admin
       and ${sessionsVersion} = $10
       and ${isEnabled('users')}
     for no key update
   ), linked as (
     insert into identities (issuer, subject, user_id, label)
     select $2, $3, user_id, $4
     from person
     where count_identities(user_id) < ${maxIdentities}
       and exists (
         select
         from providers
         where name = $5
           and $2 = any (providers.issuers)
           and ${isEnabled('providers')})
     on conflict (issuer, subject) do nothing
     returning user_id
   ), ${toldEvent('identity_linked', 'linked', 6, { detail: '$5' })}
   select user_id from linked`,
);

export interface NewIdentity extends Identity {
  user_id: number;
  label: string | null;
  /** the name of the provider */
  provider: string;
  /** the version of the session in which the identity is linked, see NewSession */
  sessions_version: string;
}

/**
 * Links an identity; false if it belongs to somebody already, perhaps to this person; if the person has as many as allowed; or if
 * somebody has ended the sessions of the person in the meantime.
 */
export async function linkIdentity(database: Database, identity: NewIdentity, trace: ToldTrace): Promise<boolean> {
  const { user_id, issuer, subject, label, provider, sessions_version } = identity;
  const values = [user_id, issuer, subject, label, provider, ...traceValues(trace), sessions_version];
  return hasRow(database, linkStatement, values);
}

const isLinkedStatement = sql(
  'is_identity_of_user',
  `select user_id
   from identities
   where issuer = $2
     and subject = $3
     and user_id = $1`,
);

export function isIdentityOfUser(database: Database, user_id: number, { issuer, subject }: Identity): Promise<boolean> {
  return hasRow(database, isLinkedStatement, [user_id, issuer, subject]);
}

/**
 * Unlinks an identity unless it is the last way in. Other ways in are a password or a passkey, where passwords are used, the provider's
 * website for people who come from there, or another identity at a provider that is not disabled.
 */
const unlinkStatement = sql(
  'unlink_identity_of_user',
  `with ${lockedWays('$1', '$9')}, unlinked as (
     delete from identities
     using person
     where identities.user_id = person.user_id
       and identities.issuer = $2
       and identities.subject = $3
       and (
         $4 and (person.has_password or person.source = 'here' and exists (
           select
           from keys
           where keys.user_verified
             and keys.rp_id = $8))
         or $7 and person.source = 'website'
         or exists (
           select
           from linked others
           join providers on others.issuer = any (providers.issuers)
           where (others.issuer, others.subject) <> ($2, $3)
             and ${isEnabled('providers')}))
     returning identities.user_id
   ), audit_event as (
     insert into audit_events (event, user_id, detail, request_id, address)
     select 'identity_unlinked', user_id, $2, $5, $6
     from unlinked
   )
   select user_id from unlinked`,
);

interface UnlinkedIdentity extends Identity {
  user_id: number;
  /** which other ways to sign in this server has */
  passwords: boolean;
  website: boolean;
  rp_id: string | undefined;
  /** the version of the session that asks for the change, see NewSession */
  sessions_version: string;
}

/**
 * Unlinks an identity; false if it is not this person's, if it is the last way in, or if somebody has ended the sessions of the person
 * in the meantime.
 */
export async function unlinkIdentity(
  database: Database,
  { user_id, issuer, subject, passwords, website, rp_id, sessions_version }: UnlinkedIdentity,
  trace: Trace,
): Promise<boolean> {
  const { request_id, address } = trace;
  const values = [user_id, issuer, subject, passwords, request_id, address, website, rp_id, sessions_version];
  return hasRow(database, unlinkStatement, values);
}
