import { type Database, row, rows, sql } from '../postgres/database.ts';
import { isActiveGrant, isUnrevoked } from './active.ts';
import type { GrantDuration } from './grants.ts';
import { type Page, pageOf } from './pages.ts';

/** A live grant, as the person who gave it looks at it: who may do what in their name, since when and until when. */
export interface ConnectedApplication {
  client_id: string;
  name: string;
  site_domain: string;
  homepage_uri: string | null;
  logo_uri: string | null;
  created_at: Date;
  required_scopes: string[];
  scope_reasons: Record<string, string>;
  scopes: string[];
  /** offered and refused, or switched off later: what can be switched on again */
  refused_scopes: string[];
  duration: GrantDuration;
  granted_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
}

const columns = `clients.client_id, clients.name, clients.site_domain, clients.homepage_uri, clients.logo_uri,
     clients.created_at, clients.required_scopes, clients.scope_reasons, live.scopes, live.refused_scopes,
     live.duration, live.granted_at, live.expires_at, live.last_used_at`;

const isShown = `${isActiveGrant('live')} and clients.deleted_at is null`;

/**
 * One row an application: the standing grant stands for one that was given once beside it. What is not to be shown is told
 * apart after the limit, so that no page reads more than its rows, however many of them have run out. Whose grant $2 is
 * stands behind its look-up: as a condition it would invite Postgres 15 to search this person's index for it.
 */
const listConnectedStatement = sql(
  'list_connected_applications',
  `select ${columns}, live.grant_id,
     ${isShown} and not (live.duration = 'once' and exists (
       select from grants other
       where other.user_id = live.user_id
         and other.client_id = live.client_id
         and ${isActiveGrant('other')}
         and (other.duration <> 'once' or other.grant_id > live.grant_id))) as is_shown
   from (
     select *
     from grants
     where user_id = $1
       and ${isUnrevoked('grants')}
       and (granted_at, grant_id) < (
         coalesce((select case when user_id = $1 then granted_at end from grants where grant_id = $2), 'infinity'), coalesce($2, 0))
     order by revoked_at desc, granted_at desc, grant_id desc
     limit $3) live
   join clients on clients.client_id = live.client_id
   order by live.granted_at desc, live.grant_id desc`,
);

/** The latest first. */
export async function listConnectedApplications(
  database: Database,
  user_id: number,
  after: string | undefined,
  most: number,
): Promise<Page<ConnectedApplication>> {
  const key = /^\d{1,18}$/.test(after ?? '') ? after : null;
  const found = await rows<ConnectedApplication & { grant_id: string; is_shown: boolean }>(
    database,
    listConnectedStatement,
    [user_id, key, most + 1],
  );
  const page = pageOf(found, most, ({ grant_id }) => grant_id);
  return { ...page, rows: page.rows.filter(({ is_shown }) => is_shown) };
}

const findConnectedStatement = sql(
  'find_connected_application',
  `select ${columns}
   from grants live
   join clients on clients.client_id = live.client_id
   where live.user_id = $1
     and live.client_id = $2
     and ${isShown}
   order by live.duration = 'once', live.grant_id desc
   limit 1`,
);

export function findConnectedApplication(
  database: Database,
  user_id: number,
  client_id: string,
): Promise<ConnectedApplication | undefined> {
  return row<ConnectedApplication>(database, findConnectedStatement, [user_id, client_id]);
}

/**
 * Permissions move between granted and refused, and none is added to both together. What the client requires and was
 * granted cannot be switched off alone. Tokens are worth what is left: each use of one reads the grant.
 */
const changeGrantStatement = sql(
  'change_grant',
  `update grants
   set changed_at = now(),
     scopes = array(select scope from unnest(grants.scopes || grants.refused_scopes) scope where scope = any ($3)),
     refused_scopes = array(select scope from unnest(grants.scopes || grants.refused_scopes) scope where scope <> all ($3))
   from clients
   where grants.user_id = $1
     and grants.client_id = $2
     and ${isActiveGrant()}
     and clients.client_id = grants.client_id
     and array(select scope from unnest(clients.required_scopes) scope where scope = any (grants.scopes)) <@ $3
   returning grants.scopes`,
);

/** What is granted now; undefined when there is no such grant or something required was switched off. */
export async function changeGrant(
  database: Database,
  user_id: number,
  client_id: string,
  chosen: readonly string[],
): Promise<string[] | undefined> {
  return (await row<{ scopes: string[] }>(database, changeGrantStatement, [user_id, client_id, chosen]))?.scopes;
}

const revokeGrantStatement = sql(
  'revoke_grant',
  `update grants
   set revoked_at = now()
   where user_id = $1
     and client_id = $2
     and revoked_at is null
   returning grant_id`,
);

/** Everything that descends from the grant is dead with it. */
export async function revokeGrant(database: Database, user_id: number, client_id: string): Promise<boolean> {
  return (await row(database, revokeGrantStatement, [user_id, client_id])) !== undefined;
}
