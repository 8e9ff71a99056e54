import { batched } from '../postgres/batches.ts';
import { type Database, row, rows, sql } from '../postgres/database.ts';
import { isActiveGrant, isEnabled, isUnrevoked } from './active.ts';
import type { Client } from './clients.ts';

export type GrantDuration = 'always' | '30d' | 'once';

/** What a person has agreed to before, as far as it is remembered. */
export interface RememberedGrant {
  grant_id: string;
  scopes: string[];
  refused_scopes: string[];
  redirect_uris: string[];
  duration: GrantDuration;
  /** answers nothing any more; it tells what the person chose */
  is_over: boolean;
  /** decided on a form with other redirection URIs: to be asked for before it counts at these */
  to_confirm: string[];
}

export type ClientAndGrant = Client & { grant: RememberedGrant | null };

/** Meant to be remembered: "just this once" is not. */
const findBoth = batched<{ client_id: string; user_id: number | undefined }, ClientAndGrant>(
  'find_client_and_grant',
  { client_id: 'text', user_id: 'integer' },
  (asked) => `
   select place, clients.client_id, clients.name, clients.site_domain, clients.homepage_uri, clients.logo_uri,
     clients.redirect_uris, clients.scopes, clients.required_scopes, clients.scope_reasons, clients.grant_types,
     clients.secrets_sha256, clients.resource_server, clients.owner_id, clients.created_at, clients.disabled_at,
     clients.vouched,
     case when grants.grant_id is not null then json_build_object(
       'grant_id', grants.grant_id::text, 'scopes', grants.scopes,
       'refused_scopes', grants.refused_scopes, 'redirect_uris', grants.redirect_uris,
       'duration', grants.duration, 'is_over', not (${isActiveGrant()}),
       'to_confirm', grants.to_confirm) end as "grant"
   from ${asked}
   join clients
     on clients.client_id = asked.client_id
   left join lateral (
     -- the limit keeps this apart from the join, so that the row is always found by both columns of its index
     select *
     from grants
     where grants.client_id = clients.client_id
       and grants.user_id = asked.user_id
       and ${isUnrevoked('grants')}
       and grants.duration <> 'once'
     limit 1) grants
     on true
   where ${isEnabled('clients')}`,
);

export function findClientAndGrant(
  database: Database,
  client_id: string,
  user_id: number | undefined,
): Promise<ClientAndGrant | undefined> {
  return findBoth(database, { client_id, user_id });
}

export interface Consent {
  ticket_sha256: Buffer;
  user_id: number;
  client_id: string;
  granted: string[];
  refused: string[];
  redirect_uris: string[];
  duration: GrantDuration;
  /** seconds after which a grant for once has nothing left to lend */
  once_ttl: number;
}

/**
 * The ticket makes each consent form count once, whichever of its buttons was pressed first.
 * What was not on this form stays as it was agreed to earlier, but has to be confirmed where the form showed redirection
 * URIs that are new. A grant for once joins nothing, and nothing joins it: it ends the one before it of the same client, and
 * what its form unticked ends for ever all the same.
 */
const registerGrantStatement = sql(
  'register_grant',
  `with decided as (
     insert into consent_decisions (ticket_sha256)
     values ($1)
     on conflict do nothing
     returning ticket_sha256
   ), unticked as (
     update grants
     set changed_at = now(),
       scopes = array(select scope from unnest(grants.scopes) scope where scope <> all ($5::text[])),
       refused_scopes = grants.refused_scopes || array(select scope from unnest(grants.scopes) scope where scope = any ($5::text[]))
     from decided
     where $7 = 'once'
       and user_id = $2
       and client_id = $3
       and revoked_at is null
       and duration <> 'once'
       and grants.scopes && $5::text[]
   ), replaced as (
     update grants
     set revoked_at = now()
     from decided
     where $7 = 'once'
       and user_id = $2
       and client_id = $3
       and revoked_at is null
       and duration = 'once'
   )
   insert into grants (user_id, client_id, scopes, refused_scopes, redirect_uris, duration, expires_at)
   select $2, $3, $4::text[], $5::text[], $6::text[], $7,
     case $7 when '30d' then now() + interval '30 days' when 'once' then now() + make_interval(secs => $8) end
   from decided
   on conflict (user_id, client_id) where revoked_at is null and duration <> 'once' do update
   set scopes = excluded.scopes || array(
         select scope from unnest(grants.scopes) scope where scope <> all (excluded.scopes || excluded.refused_scopes)),
       refused_scopes = excluded.refused_scopes || array(
         select scope from unnest(grants.refused_scopes) scope where scope <> all (excluded.scopes || excluded.refused_scopes)),
       redirect_uris = excluded.redirect_uris,
       to_confirm = array(
         select scope from unnest(case when excluded.redirect_uris <@ grants.redirect_uris then grants.to_confirm else grants.scopes || grants.refused_scopes end) scope
         where scope <> all (excluded.scopes || excluded.refused_scopes)),
       granted_at = now(),
       -- what was not on this form was not given for longer by it: then the nearer end counts, and null is no end
       (duration, expires_at) = (
         select case when ends is null then 'always' else '30d' end, ends
         from (select case
             when grants.scopes <@ (excluded.scopes || excluded.refused_scopes) then excluded.expires_at
             else least(grants.expires_at, excluded.expires_at) end as ends) nearer)
   returning grant_id`,
);

/** In a statement of its own, before: a grant that has run out must not come back to life, with all its tokens, by being renewed. */
const endExpiredStatement = sql(
  'end_expired_grants',
  `update grants
   set revoked_at = now()
   where user_id = $1
     and client_id = $2
     and revoked_at is null
     and expires_at <= now()`,
);

/** The grant's id; undefined when this form was decided already. */
export async function registerGrant(database: Database, consent: Consent): Promise<string | undefined> {
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
  ]);
  return grant?.grant_id;
}

const registerRefusalStatement = sql(
  'register_consent_refusal',
  `insert into consent_decisions (ticket_sha256)
   values ($1)
   on conflict do nothing
   returning ticket_sha256`,
);

/** False when this form was decided already. */
export async function registerRefusal(database: Database, ticket_sha256: Buffer): Promise<boolean> {
  return (await row(database, registerRefusalStatement, [ticket_sha256])) !== undefined;
}
