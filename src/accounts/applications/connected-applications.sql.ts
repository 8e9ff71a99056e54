import { isUnrevoked } from '../../identity/active.sql.ts';
import type { Choices } from '../../oauth/choice/choices.ts';
import { versionOf } from '../../oauth/consent/grant-changes.sql.ts';
import type { GrantDuration } from '../../oauth/consent/grants.sql.ts';
import { isActiveGrant } from '../../oauth/rules.sql.ts';
import { type Database, row, sql } from '../../postgres/database.ts';
import { findPage, type Page } from '../../postgres/pagination.sql.ts';

/** An active grant as shown to the person who gave it. */
export interface ConnectedApplication {
  client_id: string;
  name: string;
  site_domain: string;
  homepage_uri: string | null;
  policy_uri: string | null;
  tos_uri: string | null;
  created_at: Date;
  vouched: boolean;
  required_scopes: string[];
  scope_reasons: Record<string, string>;
  scopes: string[];
  /** scopes that were refused on the consent form or withdrawn later; the person can grant them again */
  refused_scopes: string[];
  /** whether the person agreed that every answer tells the username */
  gives_username: boolean;
  /** the scopes at resources on which the person decided, as in RememberedGrant */
  decided: string[];
  /** what the person chose for the application */
  choices: Choices | null;
  /** see versionOf */
  version: string;
  /** whether nobody was asked, see register_silent_grant */
  silent: boolean;
  duration: GrantDuration;
  granted_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
}

const columns = `clients.client_id, clients.name, clients.site_domain, clients.homepage_uri, clients.policy_uri, clients.tos_uri,
     clients.created_at, clients.vouched, clients.required_scopes, clients.scope_reasons, listed.scopes, listed.refused_scopes, listed.gives_username,
     listed.decided, listed.choices, ${versionOf('listed')} as version,
     listed.silent, listed.duration, listed.granted_at, listed.expires_at, listed.last_used_at`;

const isShown = `${isActiveGrant('listed')} and clients.deleted_at is null`;

/**
 * One row for each application: a grant for one time is hidden behind a remembered or newer one. Hidden and expired rows are
 * filtered after the limit, so that no page reads more rows than its limit. The owner of grant $2 is compared in the select
 * list, because as a condition it would make Postgres 15 search the index of this user.
 */
const listConnectedStatement = sql(
  'list_connected_applications',
  `select ${columns}, listed.grant_id,
     ${isShown} and not (listed.duration = 'once' and exists (
       select from grants other
       where other.user_id = listed.user_id
         and other.client_id = listed.client_id
         and ${isActiveGrant('other')}
         and (other.duration <> 'once' or other.grant_id > listed.grant_id))) as is_shown
   from (
     select *
     from grants
     where user_id = $1
       and ${isUnrevoked('grants')}
       and (granted_at, grant_id) < (
         coalesce((select case when user_id = $1 then granted_at end from grants where grant_id = $2), 'infinity'), coalesce($2, 0))
     order by revoked_at desc, granted_at desc, grant_id desc
     limit $3) listed
   join clients on clients.client_id = listed.client_id
   order by listed.granted_at desc, listed.grant_id desc`,
);

/** Lists applications with access, newest first. */
export async function listConnectedApplications(
  database: Database,
  user_id: number,
  after: string | undefined,
  limit: number,
): Promise<Page<ConnectedApplication>> {
  const key = /^\d{1,18}$/.test(after ?? '') ? after : null;
  const page = await findPage<ConnectedApplication & { grant_id: string; is_shown: boolean }>(
    database,
    listConnectedStatement,
    [user_id, key],
    limit,
    ({ grant_id }) => grant_id,
  );
  return { ...page, rows: page.rows.filter(({ is_shown }) => is_shown) };
}

const findConnectedStatement = sql(
  'find_connected_application',
  `select ${columns}
   from grants listed
   join clients on clients.client_id = listed.client_id
   where listed.user_id = $1
     and listed.client_id = $2
     and ${isShown}
   order by listed.duration = 'once', listed.grant_id desc
   limit 1`,
);

export function findConnectedApplication(
  database: Database,
  user_id: number,
  client_id: string,
): Promise<ConnectedApplication | undefined> {
  return row<ConnectedApplication>(database, findConnectedStatement, [user_id, client_id]);
}

const listOwnDecisionsStatement = sql(
  'list_own_decisions',
  `select clients.client_id, clients.name
   from own_decisions
   join clients on clients.client_id = own_decisions.client_id
   where own_decisions.user_id = $1
     and own_decisions.client_id > coalesce($2, '')
   order by own_decisions.client_id
   limit $3`,
);

/** Lists applications that the person has refused, or that had a grant which is over and deleted, by their ids. */
export function listOwnDecisions(
  database: Database,
  user_id: number,
  after: string | undefined,
  limit: number,
): Promise<Page<{ client_id: string; name: string }>> {
  const values = [user_id, after ?? null];
  return findPage<{ client_id: string; name: string }>(
    database,
    listOwnDecisionsStatement,
    values,
    limit,
    ({ client_id }) => client_id,
  );
}
