import { type Database, row, rows, sql } from './database.ts';

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
  granted_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
}

/** Exchanges and refreshes are read off the audit trail, so that they need not write what it says already. */
const connected = `select clients.client_id, clients.name, clients.site_domain, clients.homepage_uri, clients.logo_uri,
     clients.created_at, clients.required_scopes, clients.scope_reasons, grants.scopes, grants.refused_scopes,
     grants.granted_at, grants.expires_at, greatest(grants.last_used_at, (
       select max(audit_events.happened_at)
       from audit_events
       where audit_events.user_id = grants.user_id
         and audit_events.client_id = grants.client_id
         and audit_events.event in ('tokens_issued', 'tokens_refreshed')
         and audit_events.happened_at >= grants.granted_at)) as last_used_at
   from grants
   join clients on clients.client_id = grants.client_id
   where grants.user_id = $1
     and grants.revoked_at is null
     and (grants.expires_at is null or grants.expires_at > now())`;

const listConnectedStatement = sql('list_connected_applications', `${connected} order by grants.granted_at desc`);

export function listConnectedApplications(database: Database, user_id: number): Promise<ConnectedApplication[]> {
  return rows<ConnectedApplication>(database, listConnectedStatement, [user_id]);
}

const findConnectedStatement = sql(
  'find_connected_application',
  `${connected} and grants.client_id = $2 order by grants.duration = 'once' limit 1`,
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
   set scopes = array(select scope from unnest(grants.scopes || grants.refused_scopes) scope where scope = any ($3)),
     refused_scopes = array(select scope from unnest(grants.scopes || grants.refused_scopes) scope where scope <> all ($3))
   from clients
   where grants.user_id = $1
     and grants.client_id = $2
     and grants.revoked_at is null
     and (grants.expires_at is null or grants.expires_at > now())
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

const noteUseStatement = sql(
  'note_grant_use',
  `update grants
   set last_used_at = now()
   where grant_id = $1
     and (last_used_at > now() - interval '5 minutes') is not true`,
);

/** At most one write in five minutes, however many requests find at once that it is time for one. */
export async function noteGrantUse(database: Database, grant_id: string): Promise<void> {
  await rows(database, noteUseStatement, [grant_id]);
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
