import { eventOf, eventValues, type OperatorsTrace, type Trace } from '../../audit/audit.sql.ts';
import { isUnrevoked } from '../../identity/active.sql.ts';
import { type Database, row, rows, sql } from '../../postgres/database.ts';
import { findPage, type Page } from '../../postgres/pagination.sql.ts';
import type { Choices } from '../choice/choices.ts';
import { isActiveGrant, isOpenRequest } from '../rules.sql.ts';
import { type GrantDuration, unendedPerson } from './grants.sql.ts';

/** Changes with every decision of the person, so that a form counts only for the state that it shows. */
export const versionOf = (grant: string) =>
  `${grant}.grant_id || '.' || extract(epoch from greatest(${grant}.granted_at, ${grant}.changed_at))`;

const registerRefusalStatement = sql(
  'register_consent_refusal',
  `with ${unendedPerson('$2', '$8')}, pushed as (
     select request_sha256
     from pushed_requests pushed
     where request_sha256 = $4
       and client_id = $3
       and ${isOpenRequest('pushed')}
     for no key update
   ), first_answer as (
     insert into consent_decisions (ticket_sha256)
     select $1
     from person
     where $4::bytea is null
       or exists (select from pushed)
     on conflict do nothing
     returning $2::integer as user_id, $3::text as client_id
   ), answered as (
     update pushed_requests
     set completed_at = now()
     from first_answer
     where request_sha256 = $4
   ), own_decision as (
     insert into own_decisions (user_id, client_id)
     select user_id, client_id
     from first_answer
     on conflict do nothing
   ), ${eventOf('consent_refused', 'first_answer', 5, { client_id: 'client_id' })}
   select exists (select from first_answer) as is_first, $4::bytea is null or exists (select from pushed) as is_open`,
);

export interface Refusal extends GrantKey {
  ticket_sha256: Buffer;
  /** the digest of the pushed request that the consent answers */
  request_sha256: Buffer | null;
  /** the version of the session in which the person was asked */
  sessions_version: string;
}

/** A refusal, which leaves no grant and uses up a pushed request. Not first: this form was already sent, or the session has ended; not open: the pushed request was answered. */
export async function registerRefusal(
  database: Database,
  { ticket_sha256, user_id, client_id, request_sha256, sessions_version }: Refusal,
  trace: Trace,
): Promise<{ is_first: boolean; is_open: boolean }> {
  const values = [ticket_sha256, user_id, client_id, request_sha256, ...eventValues(trace), sessions_version];
  const [outcome] = await rows<{ is_first: boolean; is_open: boolean }>(database, registerRefusalStatement, values);
  if (!outcome) throw new Error('the database returned no row for a refusal');
  return outcome;
}

/** The choices of $9 that are not as the grant has them. */
const replacedIn = (grant: string) =>
  `jsonb_each($9::jsonb) replaced (name, value) where coalesce(${grant}.choices -> name, '[]') <> value`;

/**
 * Moves scopes between granted and refused, and replaces what the person chose, in every grant of the client; scopes that are in neither
 * list are ignored. A granted scope that the client requires cannot be refused without revoking the grant. Existing tokens follow, because
 * each use of a token reads its grant. It counts only for the state in which the person saw the grant: an older page must not bring back
 * what another one took away.
 */
const changeGrantStatement = sql(
  'change_grant',
  `with ${unendedPerson('$1', '$8')}, shown as (
     select grants.grant_id,
       array(select scope from unnest(grants.scopes || grants.refused_scopes) scope where scope = any ($3)) as chosen,
       array(select scope from unnest(clients.required_scopes) scope where scope = any (grants.scopes)) <@ $3 as has_required,
       array(
         select distinct '#' || name
         from grants every, ${replacedIn('every')}
           and every.user_id = $1
           and every.client_id = $2
           and ${isActiveGrant('every')}) as replaced
     from person
     join grants on grants.user_id = person.user_id
     join clients on clients.client_id = grants.client_id
     where grants.client_id = $2
       and ${isActiveGrant()}
       and ${versionOf('grants')} = $4
     for no key update of grants
   ), changed as (
     update grants
     set changed_at = now(),
       scopes = array(select scope from unnest(grants.scopes || grants.refused_scopes) scope where scope = any ($3)),
       refused_scopes = array(select scope from unnest(grants.scopes || grants.refused_scopes) scope where scope <> all ($3)),
       choices = coalesce(choices || $9::jsonb, nullif($9::jsonb, '{}'))
     from shown
     where shown.has_required
       and grants.user_id = $1
       and grants.client_id = $2
       and ${isActiveGrant()}
       and (not (grants.scopes <@ $3 and not grants.refused_scopes && $3) or exists (select from ${replacedIn('grants')}))
     returning grants.user_id, grants.client_id
   ), changes as (
     select distinct changed.user_id, changed.client_id,
       array_to_string(shown.chosen || shown.replaced, ' ') as detail
     from changed, shown
   ), ${eventOf('consent_changed', 'changes', 5, { client_id: 'client_id', detail: 'detail' })}
   select has_required, (select detail from changes)
   from shown`,
);

/** What a person has chosen on the page of an application. */
export interface GrantChange extends GrantKey {
  chosen: readonly string[];
  choices: Choices;
  /** the version of the grant on that page, see versionOf */
  version: string;
  /** the version of the session in which the person has chosen */
  sessions_version: string;
}

export interface ChangedGrant {
  /** otherwise a required scope was left out, and nothing changes */
  has_required: boolean;
  /** the scopes that are granted now, and the choices that were replaced; null: nothing has changed */
  detail: string | null;
}

/** Undefined if the grant has changed since the page was shown, or the session has ended. */
export function changeGrant(
  database: Database,
  { user_id, client_id, chosen, choices, version, sessions_version }: GrantChange,
  trace: Trace,
): Promise<ChangedGrant | undefined> {
  const replacing = JSON.stringify(choices);
  const values = [user_id, client_id, chosen, version, ...eventValues(trace), sessions_version, replacing];
  return row<ChangedGrant>(database, changeGrantStatement, values);
}

const revokeGrantStatement = sql(
  'revoke_grant',
  `with revoked as (
     update grants
     set revoked_at = now()
     where user_id = $1
       and client_id = $2
       and revoked_at is null
     returning user_id, client_id
   ), ended as (
     select distinct user_id, client_id
     from revoked
   ), ${eventOf('consent_revoked', 'ended', 3, { client_id: 'client_id' })}
   select user_id
   from ended`,
);

/** Whose grants for which client. */
export interface GrantKey {
  user_id: number;
  client_id: string;
}

/** All codes and tokens of the grant stop working with it; false if there is none. */
export async function revokeGrant(
  database: Database,
  { user_id, client_id }: GrantKey,
  trace: OperatorsTrace,
): Promise<boolean> {
  return (await row(database, revokeGrantStatement, [user_id, client_id, ...eventValues(trace)])) !== undefined;
}

const revokeAllStatement = sql(
  'revoke_grants_of_user',
  `with revoked as (
     update grants
     set revoked_at = now()
     where user_id = $1
       and ${isUnrevoked('grants')}
     returning user_id, client_id
   ), ${eventOf('consent_revoked', 'revoked', 2, { client_id: 'client_id', detail: "'with all others'" })}
   select user_id from revoked limit 1`,
);

/** All that a person has allowed, by an operator; false if that is nothing. */
export async function revokeGrantsOfUser(database: Database, user_id: number, trace: OperatorsTrace): Promise<boolean> {
  return (await row(database, revokeAllStatement, [user_id, ...eventValues(trace)])) !== undefined;
}

/** An unrevoked grant of an application, as administrators see it; it may have expired. */
export interface GrantOfClient {
  grant_id: string;
  user_id: number;
  username: string;
  scopes: string[];
  duration: GrantDuration;
  granted_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
}

const listOfClientStatement = sql(
  'list_grants_of_client',
  `select listed.grant_id, listed.user_id, users.username, listed.scopes, listed.duration, listed.granted_at, listed.last_used_at, listed.expires_at
   from (
     select *
     from grants
     where client_id = $1
       and ${isUnrevoked('grants')}
       and -grant_id > coalesce(-$2::bigint, -9223372036854775807)
     order by revoked_at, -grant_id
     limit $3) listed
   join users on users.user_id = listed.user_id
   order by listed.grant_id desc`,
);

/** Newest first. */
export function listGrantsOfClient(
  database: Database,
  client_id: string,
  after: string | undefined,
  limit: number,
): Promise<Page<GrantOfClient>> {
  const key = /^\d{1,18}$/.test(after ?? '') ? after : null;
  return findPage<GrantOfClient>(database, listOfClientStatement, [client_id, key], limit, ({ grant_id }) => grant_id);
}
