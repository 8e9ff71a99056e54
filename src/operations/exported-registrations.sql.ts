import { isEnabled, subjectOf } from '../identity/active.sql.ts';
import { type Statement, sql } from '../postgres/database.ts';
import type { Connection } from '../postgres/transaction.ts';

// What a seed can register, as it is registered at one moment (atOneMoment), page by page. What a seed has pruned is left out: a
// run that named it would enable it. Clients that registered themselves or publish a document are left out, too, and accounts for
// which others speak.

const isPruned = (row: string, kind: 'client' | 'user' | 'provider', key: string) =>
  `exists (
       select
       from seeded_rows
       where kind = '${kind}'
         and key = ${key}
         and pruned_at = ${row}.disabled_at
     )`;

/** A row by the names of its columns. */
export type ExportedRow = Readonly<Record<string, unknown>> & { readonly key: string; readonly is_disabled?: boolean };

const listScopesStatement = sql(
  'list_scopes_to_export',
  `select name as key, to_jsonb(scopes) - 'position' as columns
   from scopes
   order by position
   limit 10000`,
);

/** Lists all scopes, in the order in which pages list them. */
export async function listScopesToExport(connection: Connection): Promise<Readonly<Record<string, unknown>>[]> {
  const { rows } = await connection.query<{ columns: Readonly<Record<string, unknown>> }>(listScopesStatement.text);
  return rows.map(({ columns }) => columns);
}

const listGroupsStatement = sql(
  'list_groups_to_export',
  `select name as key, name, sentence, sentences
   from scope_groups
   where name > $1
     -- those of scopes that went into another group have none
     and exists (select from scopes where group_name = scope_groups.name)
   order by name
   limit $2`,
);

const listProvidersStatement = sql(
  'list_providers_to_export',
  `select name as key, name, kind, issuer, issuers, title, client_id, token_endpoint_auth_method, id_token_signed_response_alg, scopes, people,
     domains, endpoint_hosts, on_logout, global_token_revocation, disabled_at is not null as is_disabled
   from providers
   where name > $1
     and not ${isPruned('providers', 'provider', 'name')}
   order by name
   limit $2`,
);

const listClaimsStatement = sql(
  'list_claims_to_export',
  `select claims.name as key, claims.name, claims.scope, scopes.sentence, claims.query, scopes.sentences
   from claims
   join scopes on scopes.name = claims.scope
   where claims.name > $1
     and ${isEnabled('claims')}
   order by claims.name
   limit $2`,
);

const listChoicesStatement = sql(
  'list_choices_to_export',
  `select name as key, name, scopes, sentence, query, sentences, many, may_be_all, all_sentence, all_sentences
   from choices
   where name > $1
     and ${isEnabled('choices')}
   order by name
   limit $2`,
);

/** Whether a client is exported; one that a ban has stopped is left out, since no server with the ban would register it. */
const isExportedClient = `clients.deleted_at is null
     and not clients.is_demo
     and clients.only_for is null
     and (clients.vouched or banned_site_of(clients.site_domain) is null)
     and not exists (select from self_registrations self where self.client_id = clients.client_id)
     and not exists (select from client_documents document where document.client_id = clients.client_id)
     and not ${isPruned('clients', 'client', 'clients.client_id')}`;

const listClientsStatement = sql(
  'list_clients_to_export',
  `select client_id as key, to_jsonb(clients) || jsonb_build_object(
       'owner', users.username,
       'token_type', case token_binding when 'mac' then 'mac' else 'bearer' end,
       'dpop_bound_access_tokens', token_binding = 'dpop',
       'tls_client_certificate_bound_access_tokens', token_binding = 'certificate') as columns,
     clients.disabled_at is not null as is_disabled
   from clients
   left join users on users.user_id = clients.owner_id and users.source = 'here'
     and not ${isPruned('users', 'user', 'users.user_id::text')}
   where client_id > $1
     and ${isExportedClient}
   order by client_id
   limit $2`,
);

const listResourcesStatement = sql(
  'list_resources_to_export',
  `select resource as key, resource, scopes, client_id, token_format
   from resources
   where resource > $1
     and ${isEnabled('resources')}
     and (client_id is null or exists (select from clients where clients.client_id = resources.client_id and ${isExportedClient}))
   order by resource
   limit $2`,
);

const listBannedSitesStatement = sql(
  'list_banned_sites_to_export',
  `select site_domain as key
   from banned_sites
   where site_domain > $1
   order by site_domain
   limit $2`,
);

const listPeopleStatement = sql(
  'list_people_for_a_seed',
  `select username as key, ${subjectOf('users')} as subject, username, email, email_verified, name, is_admin,
     coalesce(password_hash, password_bcrypt) as password_hash, disabled_at is not null as is_disabled
   from users
   where username > $1
     and deleted_at is null
     and source = 'here'
     and not ${isPruned('users', 'user', 'users.user_id::text')}
   order by username
   limit $2`,
);

const pageSize = 1000;

async function* eachRow(connection: Connection, { text }: Statement): AsyncGenerator<ExportedRow> {
  for (let after = ''; ; ) {
    const { rows: page } = await connection.query<ExportedRow>(text, [after, pageSize]);
    yield* page;
    if (page.length < pageSize) return;
    after = page.at(-1)?.key ?? after;
  }
}

export const listGroupsToExport = (connection: Connection) => eachRow(connection, listGroupsStatement);
export const listProvidersToExport = (connection: Connection) => eachRow(connection, listProvidersStatement);
export const listClaimsToExport = (connection: Connection) => eachRow(connection, listClaimsStatement);
export const listChoicesToExport = (connection: Connection) => eachRow(connection, listChoicesStatement);
export const listResourcesToExport = (connection: Connection) => eachRow(connection, listResourcesStatement);
export const listBannedSitesToExport = (connection: Connection) => eachRow(connection, listBannedSitesStatement);
export const listPeopleForSeed = (connection: Connection) => eachRow(connection, listPeopleStatement);

/** Lists the clients. `columns` has all columns of a client, and the members of its registration that the row stores under other names. */
export async function* listClientsToExport(connection: Connection): AsyncGenerator<ExportedRow> {
  for await (const { key, is_disabled, columns } of eachRow(connection, listClientsStatement)) {
    yield { ...(columns as ExportedRow), key, is_disabled: is_disabled === true };
  }
}
