import { type Database, row, rows, sql } from '../postgres/database.ts';
import type { Client } from './clients.ts';
import { type Page, pageOf } from './pages.ts';

/** A registration as its developer sees it, disabled or not. */
export interface DeveloperApplication extends Client {
  /** one for each secret, in the same order */
  secrets_since: Date[];
  /** then its owner may enable it again */
  disabled_by_owner: boolean;
}

const columns = `client_id, name, site_domain, homepage_uri, logo_uri, redirect_uris, scopes, required_scopes,
  scope_reasons, grant_types, secrets_sha256, secrets_since, resource_server, owner_id, created_at, disabled_at, vouched,
  disabled_by_owner`;

/** Who is an administrator sees all applications, everybody else their own. */
const isTheirs = '($2::boolean or owner_id = $1)';

const ownsApplicationsStatement = sql('owns_applications', 'select client_id from clients where owner_id = $1 limit 1');

export async function ownsApplications(database: Database, user_id: number): Promise<boolean> {
  return (await row(database, ownsApplicationsStatement, [user_id])) !== undefined;
}

export type ListedApplication = DeveloperApplication & { last_used_at: Date | null };

const listOwnStatement = sql(
  'list_own_applications',
  `select ${columns}, last_used_at
   from clients
   where owner_id = $3
     and (created_at, client_id) < (
       coalesce((select created_at from clients where client_id = $1), 'infinity'), coalesce($1, ''))
   order by created_at desc, client_id desc
   limit $2`,
);

/** What a person registered, the newest first, those of one moment by client_id; what is deleted has no owner. */
export async function listOwnApplications(
  database: Database,
  user_id: number,
  after: string | undefined,
  most: number,
): Promise<Page<ListedApplication>> {
  return pageOf(await rows(database, listOwnStatement, [after ?? null, most + 1, user_id]), most, keyOf);
}

const listAllStatement = sql(
  'list_all_applications',
  `select ${columns}, last_used_at
   from clients
   where (created_at at time zone 'UTC', client_id) < (
       coalesce((select created_at at time zone 'UTC' from clients where client_id = $1), 'infinity'), coalesce($1, ''))
     and deleted_at is null
   order by created_at at time zone 'UTC' desc, client_id desc
   limit $2`,
);

/** Of everybody, the newest first: for administrators. */
export async function listAllApplications(
  database: Database,
  after: string | undefined,
  most: number,
): Promise<Page<ListedApplication>> {
  return pageOf(await rows(database, listAllStatement, [after ?? null, most + 1]), most, keyOf);
}

const keyOf = ({ client_id }: ListedApplication) => client_id;

const findApplicationStatement = sql(
  'find_developer_application',
  `select ${columns}
   from clients
   where ${isTheirs}
     and client_id = $3
     and deleted_at is null`,
);

export function findDeveloperApplication(
  database: Database,
  user_id: number,
  is_admin: boolean,
  client_id: string,
): Promise<DeveloperApplication | undefined> {
  return row<DeveloperApplication>(database, findApplicationStatement, [user_id, is_admin, client_id]);
}

const disableStatement = sql(
  'disable_application',
  `update clients
   set disabled_at = coalesce(disabled_at, now()),
     disabled_by_owner = owner_id is not distinct from $2
   where client_id = $1
     and (disabled_at is null or (disabled_by_owner and owner_id is distinct from $2))
   returning client_id`,
);

/** False when it is disabled already; but an administrator takes over what its owner has disabled. */
export async function disableApplication(database: Database, client_id: string, user_id: number): Promise<boolean> {
  return (await row(database, disableStatement, [client_id, user_id])) !== undefined;
}

const enableStatement = sql(
  'enable_application',
  `update clients
   set disabled_at = null,
     disabled_by_owner = false
   where client_id = $1
     and (disabled_by_owner or $2)
     and deleted_at is null
   returning client_id`,
);

/** An owner undoes what an owner did, an administrator everything. */
export async function enableApplication(database: Database, client_id: string, is_admin: boolean): Promise<boolean> {
  return (await row(database, enableStatement, [client_id, is_admin])) !== undefined;
}

const deleteApplicationStatement = sql(
  'delete_application',
  `update clients
   set deleted_at = now(),
     disabled_at = coalesce(disabled_at, now()),
     owner_id = null
   where client_id = $1
     and deleted_at is null
   returning client_id`,
);

/** It, its codes and its tokens end at once and it stands in no list any more; the rows go with the sweep, bit by bit. */
export async function deleteApplication(database: Database, client_id: string): Promise<boolean> {
  return (await row(database, deleteApplicationStatement, [client_id])) !== undefined;
}
