import { isEnabled } from '../identity/active.sql.ts';
import { type ClientValues, memberColumns, type StoredMember } from '../lib/client-members.ts';
import type { JWK } from '../lib/public-key.ts';
import { sitesAround } from '../lib/site.ts';
import { batched } from '../postgres/batches.ts';
import { type Database, hasRow, row, sql } from '../postgres/database.ts';
import { findPage, type Page } from '../postgres/pagination.sql.ts';
import { type PublishedKeys, publishedKeys } from './client-key-sets.sql.ts';
import { brokenRules, clientRules, type PresentedClient, presentedClientColumns } from './client-rules.sql.ts';

/** A client that registers itself is an `application`. */
export type ClientOrigin = 'command' | 'console' | 'application' | 'document';

/** The members that can be registered, and what the server adds. */
export interface Client extends Omit<Pick<ClientValues, StoredMember>, NarrowedMember> {
  site_domain: string;
  /** by scope: why the client needs it or what does not work without it, in the words of its developer */
  scope_reasons: Record<string, string>;
  /** whether an administrator vouches for the client */
  vouched: boolean;
  /** public keys of the client itself */
  jwks: { keys: JWK[] } | null;
  profile: 'fapi2' | null;
  assertion_audience: 'issuer' | 'address';
  consent: 'none' | null;
  /** the newest first; a public client has none */
  secrets_sha256: Buffer[];
  owner_id: number | null;
  /** the only person who may let the client in, who has made its document for local development; null: everybody may */
  only_for: number | null;
  /** the way by which it was registered; null: by SQL, or before this was noted */
  origin: ClientOrigin | null;
  /** whether an operator or owner has set the scopes of a client that came by itself */
  has_fixed_scopes: boolean;
  /** the methods that a client which states several offers; null: it states none, or an operator registered it */
  offered_methods: string[] | null;
  /** what the client's access tokens are bound to; `any`: to a DPoP key if the client proves such a key */
  token_binding: 'any' | 'dpop' | 'certificate' | 'mac';
  created_at: Date;
  disabled_at: Date | null;
  /** assertions made before this time are refused; null: no assertions are refused */
  assertions_not_before: Date | null;
}

type NarrowedMember =
  | 'site_domain'
  | 'scope_reasons'
  | 'vouched'
  | 'jwks'
  | 'profile'
  | 'assertion_audience'
  | 'consent';

export const clientColumns = [
  ...memberColumns,
  'origin',
  'has_fixed_scopes',
  'offered_methods',
  'only_for',
  'created_at',
  'disabled_at',
  'assertions_not_before',
]
  .map((column) => `clients.${column}`)
  .join(', ');

export interface ClientWithKeys extends Client, PublishedKeys {
  /** every change of the client makes a new version; the note that the client was used does not */
  version: string;
}

const columnsWithKeys = `${clientColumns}, clients.version::text as version, ${publishedKeys.columns}`;

const findByClientId = batched<{ client_id: string }, ClientWithKeys>(
  'find_client',
  { client_id: 'text' },
  (requests) => `
   select position, ${columnsWithKeys}
   from ${requests}
   join clients using (client_id)
   left join ${publishedKeys.table} on true
   where deleted_at is null`,
);

const authenticate = batched<PresentedClient, ClientWithKeys & { broken: (keyof typeof clientRules)[] }>(
  'authenticate_client',
  presentedClientColumns,
  (requests) => `
   select position, ${columnsWithKeys}, ${brokenRules(clientRules)} as broken
   from ${requests}
   left join clients using (client_id)
   left join ${publishedKeys.table} on true`,
);

/**
 * Finds a client with the rules of authentication that the request breaks, in their order. A client that is unknown breaks the
 * first rule.
 */
export function findClientAndProblems(database: Database, client: PresentedClient) {
  return authenticate(database, client);
}

export async function findClient(database: Database, client_id: string): Promise<Client | undefined> {
  const client = await findAnyClient(database, client_id);
  return client?.disabled_at ? undefined : client;
}

/** Finds disabled clients, too: for administrators, and to log why a request was refused. */
export async function findAnyClient(database: Database, client_id: string): Promise<ClientWithKeys | undefined> {
  const found = await findByClientId(database, { client_id });
  if (!found) return undefined;
  // commands print everything that this returns
  const { position: _, ...client } = found;
  return client;
}

const allPushStatement = sql(
  'all_clients_push',
  `select 1
   where exists (
     select
     from clients
     where (jwks is not null or jwks_uri is not null or profile is not null)
       and ${isEnabled('clients')}
   ) and not exists (
     select
     from clients
     where not require_pushed_authorization_requests
       and not require_signed_request_object
       and ${isEnabled('clients')}
   )`,
);

/** Whether some clients prove a key, and no client may send an authorization request by the browser. */
export function allClientsPush(database: Database): Promise<boolean> {
  return hasRow(database, allPushStatement);
}

const isSiteStatement = sql(
  'is_site_of_client',
  `select 1
   from clients
   where site_domain = any ($1)
     and vouched
     and ${isEnabled('clients')}
   limit 1`,
);

/** Whether a host is the site domain of an enabled client, or a subdomain of it, and an administrator vouches for the client. */
export function isSiteOfClient(database: Database, host: string): Promise<boolean> {
  return hasRow(database, isSiteStatement, [sitesAround(host)]);
}

const listClientsStatement = sql(
  'list_clients',
  `select ${clientColumns}
   from clients
   where client_id > $1
     and deleted_at is null
   order by client_id
   limit $2`,
);

/** Ordered by client_id. */
export function listClients(database: Database, after: string, limit: number): Promise<Page<Client>> {
  return findPage<Client>(database, listClientsStatement, [after], limit, keyOfClient);
}

const keyOfClient = ({ client_id }: Client) => client_id;

/** A client as the console shows it to its owner and to administrators. */
export interface DeveloperApplication extends Client {
  /** the times of the secrets, in the same order */
  secrets_since: Date[];
  /** whether the owner has disabled the client, and so may enable it again */
  disabled_by_owner: boolean;
}

export type ListedApplication = DeveloperApplication & { last_used_at: Date | null };

/** An application in a list for administrators. */
export type FoundApplication = ListedApplication & { owner: string | null };

export const ownerOfClient = `(
       select username
       from users
       where users.user_id = clients.owner_id) as owner`;

const developerColumns = `${clientColumns}, secrets_since, disabled_by_owner`;

const findApplicationStatement = sql(
  'find_developer_application',
  `select ${developerColumns}
   from clients
   where ($2::boolean or owner_id = $1)
     and client_id = $3
     and deleted_at is null`,
);

/** An administrator finds every client, everybody else only their own. */
export function findDeveloperApplication(
  database: Database,
  user_id: number,
  is_admin: boolean,
  client_id: string,
): Promise<DeveloperApplication | undefined> {
  return row<DeveloperApplication>(database, findApplicationStatement, [user_id, is_admin, client_id]);
}

const listOwnStatement = sql(
  'list_own_applications',
  `select ${developerColumns}, last_used_at
   from clients
   where owner_id = $1
     and (created_at, client_id) < (
       coalesce((select created_at from clients where client_id = $2), 'infinity'), coalesce($2, ''))
   order by created_at desc, client_id desc
   limit $3`,
);

/** The applications of one owner, newest first. A deleted application has no owner. */
export function listOwnApplications(
  database: Database,
  user_id: number,
  after: string | undefined,
  limit: number,
): Promise<Page<ListedApplication>> {
  return findPage<ListedApplication>(database, listOwnStatement, [user_id, after ?? null], limit, keyOfClient);
}

const listAllStatement = sql(
  'list_all_applications',
  `select ${developerColumns}, last_used_at, ${ownerOfClient}
   from clients
   where (created_at at time zone 'UTC', client_id) < (
       coalesce((select created_at at time zone 'UTC' from clients where client_id = $1), 'infinity'), coalesce($1, ''))
     and deleted_at is null
   order by created_at at time zone 'UTC' desc, client_id desc
   limit $2`,
);

/** The applications of all owners, newest first, for administrators. */
export function listAllApplications(
  database: Database,
  after: string | undefined,
  limit: number,
): Promise<Page<FoundApplication>> {
  return findPage<FoundApplication>(database, listAllStatement, [after ?? null], limit, keyOfClient);
}
