import { type ToldTrace, toldEvent, traceValues } from '../../audit/audit.sql.ts';
import { type Client, clientColumns } from '../../clients/clients.sql.ts';
import { isEnabled, isOpenTo, isUnrevoked } from '../../identity/active.sql.ts';
import { sessionsVersion } from '../../identity/sessions.sql.ts';
import { batched } from '../../postgres/batches.ts';
import { type Database, row, rows, sql } from '../../postgres/database.ts';
import type { Choices } from '../choice/choices.ts';
import { isActiveGrant } from '../rules.sql.ts';

export type GrantDuration = 'always' | '30d' | 'once';

/** What a person decided about a client before. A grant for one time ("once") is not remembered. */
export interface RememberedGrant {
  grant_id: string;
  scopes: string[];
  refused_scopes: string[];
  redirect_uris: string[];
  /** see register_silent_grant */
  silent: boolean;
  duration: GrantDuration;
  /** it has expired, and only tells what the person chose */
  is_over: boolean;
  /** scopes decided on a form with other redirection URIs: the person must confirm them before they count for those of today */
  to_confirm: string[];
  /** the person agreed that every answer tells the username */
  gives_username: boolean;
  /** the scopes at resources on which the person decided, see decisionsIn */
  decided: string[];
  choices: Choices | null;
  /** the name that the client had, if it has got another since and not by an administrator; empty if nobody recorded it */
  renamed_from: string | null;
}

export type ClientAndGrant = Client & { grant: RememberedGrant | null };

const findClientAndGrantStatement = batched<{ client_id: string; user_id: number | undefined }, ClientAndGrant>(
  'find_client_and_grant',
  { client_id: 'text', user_id: 'integer' },
  (requests) => `
   select position, ${clientColumns},
     case when grants.grant_id is not null then json_build_object(
       'grant_id', grants.grant_id::text, 'scopes', grants.scopes,
       'refused_scopes', grants.refused_scopes, 'redirect_uris', grants.redirect_uris,
       'silent', grants.silent, 'duration', grants.duration, 'is_over', not (${isActiveGrant()}),
       'to_confirm', grants.to_confirm, 'gives_username', grants.gives_username,
       'decided', grants.decided, 'choices', grants.choices,
       'renamed_from', case when renamed_at > granted_at and client_name is distinct from name then coalesce(client_name, '') end) end as "grant"
   from ${requests}
   join clients
     on clients.client_id = requests.client_id
   left join lateral (
     -- the limit keeps the planner from merging this into the join, so that both columns of the index are used
     select *
     from grants
     where grants.client_id = clients.client_id
       and grants.user_id = requests.user_id
       and ${isUnrevoked('grants')}
       and grants.duration <> 'once'
     limit 1) grants
     on true
   where ${isOpenTo('clients', 'requests.user_id')}`,
);

export function findClientAndGrant(
  database: Database,
  client_id: string,
  user_id: number | undefined,
): Promise<ClientAndGrant | undefined> {
  return findClientAndGrantStatement(database, { client_id, user_id });
}

export interface Consent {
  ticket_sha256: Buffer;
  user_id: number;
  client_id: string;
  granted: string[];
  refused: string[];
  redirect_uris: string[];
  duration: GrantDuration;
  /** lifetime of a grant for one time, in seconds */
  once_ttl: number;
  gives_username: boolean;
  /** see decisionsIn */
  decided: string[];
  choices: Choices | null;
  silent: boolean;
  /** the version of the session in which the person was asked */
  sessions_version: string;
}

/**
 * The person, unless somebody has ended their sessions since `version`; locked, so that an end of all access at the same moment comes
 * before the grant, which is not made then, or after it, and ends it.
 */
export const unendedPerson = (user_id: string, version: string) => `person as (
     select user_id
     from users
     where user_id = ${user_id}
       and ${isEnabled('users')}
       and ${sessionsVersion} = ${version}
     for share
   )`;

/**
 * The ticket makes each consent form count once, whichever button was pressed first.
 * Scopes that were not on the form stay as decided before; if the form showed new redirection URIs, they go to to_confirm.
 * A grant for one time stands beside the remembered grant: it revokes the previous grant for one time, and the scopes that
 * were unticked on its form are withdrawn from the remembered grant, too.
 */
const registerGrantStatement = sql(
  'register_grant',
  `with ${unendedPerson('$2', '$16')}, first_answer as (
     insert into consent_decisions (ticket_sha256)
     select $1
     from person
     on conflict do nothing
     returning ticket_sha256
   ), unticked as (
     update grants
     set changed_at = now(),
       scopes = array(select scope from unnest(grants.scopes) scope where scope <> all ($5::text[])),
       refused_scopes = grants.refused_scopes || array(select scope from unnest(grants.scopes) scope where scope = any ($5::text[]))
     from first_answer
     where $7 = 'once'
       and user_id = $2
       and client_id = $3
       and revoked_at is null
       and duration <> 'once'
       and grants.scopes && $5::text[]
   ), replaced as (
     update grants
     set revoked_at = now()
     from first_answer
     where $7 = 'once'
       and user_id = $2
       and client_id = $3
       and revoked_at is null
       and duration = 'once'
   ), granted as (
     insert into grants (user_id, client_id, scopes, refused_scopes, redirect_uris, duration, gives_username, decided, choices, silent, client_name, expires_at)
     select $2, $3, $4::text[], $5::text[], $6::text[], $7, $9, $10::text[], $17::jsonb, $18, (select name from clients where client_id = $3),
       case $7 when '30d' then now() + interval '30 days' when 'once' then now() + make_interval(secs => $8) end
     from first_answer
     on conflict (user_id, client_id) where revoked_at is null and duration <> 'once' do update
     set scopes = excluded.scopes || array(
           select scope from unnest(grants.scopes) scope where scope <> all (excluded.scopes || excluded.refused_scopes)),
         refused_scopes = excluded.refused_scopes || array(
           select scope from unnest(grants.refused_scopes) scope where scope <> all (excluded.scopes || excluded.refused_scopes)),
         redirect_uris = excluded.redirect_uris,
         gives_username = grants.gives_username or excluded.gives_username,
         to_confirm = array(
           select scope from unnest(case when excluded.redirect_uris <@ grants.redirect_uris then grants.to_confirm else grants.scopes || grants.refused_scopes end) scope
           where scope <> all (excluded.scopes || excluded.refused_scopes)),
         -- a scope that was refused at another resource and is granted here must be asked for there again
         decided = excluded.decided || array(
           select one from unnest(grants.decided) one
           cross join split_part(translate(one, '#', '@'), '@', 1) scope
           where one <> all (excluded.decided)
             and not (scope = any (grants.refused_scopes) and scope = any (excluded.scopes))),
         choices = coalesce(grants.choices || excluded.choices, excluded.choices, grants.choices),
         granted_at = now(),
         (silent, client_name) = (select excluded.silent, excluded.client_name),
         -- a form that showed only a part of the scopes does not extend the others: the earlier end counts; null is no end
         (duration, expires_at) = (
           select case when ends is null then 'always' else '30d' end, ends
           from (select case
               when grants.scopes <@ (excluded.scopes || excluded.refused_scopes) then excluded.expires_at
               else least(grants.expires_at, excluded.expires_at) end as ends) nearer)
     returning grant_id, user_id, client_id
   ), ${toldEvent('consent_given', 'granted', 11, { client_id: 'client_id', detail: '$15' })}
   select grant_id from granted`,
);

/** A separate statement, run first: renewing an expired grant must not make its old tokens valid again. */
const endExpiredStatement = sql(
  'end_expired_grants',
  `update grants
   set revoked_at = now()
   where user_id = $1
     and client_id = $2
     and revoked_at is null
     and expires_at <= now()`,
);

/** The grant's id; undefined when this form was already sent, or somebody has ended the sessions of the person. */
export async function registerGrant(
  database: Database,
  consent: Consent & { detail: string },
  trace: ToldTrace,
): Promise<string | undefined> {
  await rows(database, endExpiredStatement, [consent.user_id, consent.client_id]);
  const grant = await row<{ grant_id: string }>(database, registerGrantStatement, [
    consent.ticket_sha256,
    consent.user_id,
    consent.client_id,
    consent.granted,
    consent.refused,
    consent.redirect_uris,
    consent.duration,
    consent.once_ttl,
    consent.gives_username,
    consent.decided,
    ...traceValues(trace),
    consent.detail,
    consent.sessions_version,
    consent.choices && JSON.stringify(consent.choices),
    consent.silent,
  ]);
  return grant?.grant_id;
}
