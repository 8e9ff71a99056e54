import { type RecordedEvent, recordedEvent, recordedValues } from '../../audit/audit.sql.ts';
import type { Client } from '../../clients/clients.sql.ts';
import { takenFromPruning } from '../../clients/origins.sql.ts';
import { isEnabled } from '../../identity/active.sql.ts';
import { batched } from '../../postgres/batches.ts';
import { type Database, hasRow, row, rows, sql } from '../../postgres/database.ts';
import { keptFor } from '../../postgres/kept.ts';

// The servers at which people can sign in. They are registered with SQL: migrations/functions/register_provider.sql.

/** The most providers that the sign-in page shows. */
const maxProviders = 20;

export interface OfferedProvider {
  name: string;
  title: string;
  /** whether its client secret is stored as it was registered, unencrypted */
  is_unsealed: boolean;
}

const offered = `from providers
   where ${isEnabled('providers')}
   order by created_at, name
   limit ${maxProviders}`;

const listOfferedStatement = sql(
  'list_offered_providers',
  `select name, title, client_secret is not null as is_unsealed
   ${offered}`,
);

/** Providers in the order in which they were registered. */
export function listOfferedProviders(database: Database): Promise<OfferedProvider[]> {
  return rows<OfferedProvider>(database, listOfferedStatement);
}

/** What the sign-in page shows from the database. */
export interface SignInPage {
  client: Pick<Client, 'name' | 'site_domain' | 'vouched'> | null;
  providers: OfferedProvider[];
}

const findPage = batched<{ client_id: string | null }, SignInPage>(
  'find_sign_in_page',
  { client_id: 'text' },
  (requests) => `
   select position,
     case when clients.client_id is not null then
       json_build_object('name', clients.name, 'site_domain', clients.site_domain, 'vouched', clients.vouched)
     end as client,
     array(
       select json_build_object('name', name, 'title', title, 'is_unsealed', client_secret is not null)
       ${offered}) as providers
   from ${requests}
   left join clients on clients.client_id = requests.client_id
     and clients.deleted_at is null`,
);

/** Finds what the page shows in one statement, which all who open the page at the same moment share. `client_id` is null where no application asks. */
export async function findSignInPage(database: Database, client_id: string | null): Promise<SignInPage> {
  return (await findPage(database, { client_id })) ?? { client: null, providers: [] };
}

export interface Provider {
  name: string;
  kind: 'openid' | 'entra' | 'github';
  issuer: string;
  issuers: string[];
  title: string;
  client_id: string;
  sealed_client_secret: Buffer | null;
  /** the secret, if it is not encrypted yet */
  client_secret: string | null;
  token_endpoint_auth_method: 'client_secret_basic' | 'client_secret_post' | 'none';
  id_token_signed_response_alg: string;
  scopes: string[];
  people: 'registered' | 'created';
  endpoint_hosts: string[] | null;
  /** what a logout there ends here */
  on_logout: 'sessions' | 'access';
  /** whether it may end all sessions and all access of its people */
  global_token_revocation: boolean;
}

const columns = `name, kind, issuer, issuers, title, client_id, client_secret, sealed_client_secret, token_endpoint_auth_method,
     id_token_signed_response_alg, scopes, people, endpoint_hosts, on_logout, global_token_revocation`;

const findProviderStatement = sql(
  'find_provider',
  `select ${columns}
   from providers
   where name = $1
     and ${isEnabled('providers')}`,
);

export function findProvider(database: Database, name: string): Promise<Provider | undefined> {
  return row<Provider>(database, findProviderStatement, [name]);
}

const findByIssuerStatement = sql(
  'find_provider_by_issuer',
  `select ${columns}
   from providers
   where issuer = $1
     and kind = 'openid'
     and ${isEnabled('providers')}`,
);

export function findProviderByIssuer(database: Database, issuer: string): Promise<Provider | undefined> {
  return row<Provider>(database, findByIssuerStatement, [issuer]);
}

const mayAnyRevokeStatement = sql(
  'may_any_provider_revoke',
  `select name
   from providers
   where global_token_revocation
     and ${isEnabled('providers')}
   limit 1`,
);

const mayAnyRevoke = keptFor<boolean>(5000);

/** Whether the metadata name the address for it. */
export function mayAnyProviderRevoke(database: Database): Promise<boolean> {
  return mayAnyRevoke(database, () => hasRow(database, mayAnyRevokeStatement));
}

export interface ListedProvider extends Provider {
  created_at: Date;
  disabled_at: Date | null;
  /** how many people have an identity at the provider */
  identities: number;
}

const listProvidersStatement = sql(
  'list_providers',
  `select ${columns}, created_at, disabled_at, (
     select count(*)::integer
     from identities
     where identities.issuer = any (providers.issuers)) as identities
   from providers
   order by name
   limit 1000`,
);

/** Lists all providers, disabled ones too: for operators, not for requests. */
export function listProviders(database: Database): Promise<ListedProvider[]> {
  return rows<ListedProvider>(database, listProvidersStatement);
}

const sealStatement = sql(
  'seal_client_secret_of_provider',
  `update providers
   set sealed_client_secret = $3,
     client_secret = null
   where name = $1
     and client_secret is not distinct from $2
     and sealed_client_secret is not distinct from $4`,
);

/** Replaces the secret that was read with the encrypted one, unless the provider was registered anew in the meantime. */
export async function sealProviderSecret(
  database: Database,
  { name, client_secret, sealed_client_secret }: Provider,
  sealed: Buffer,
): Promise<void> {
  await rows(database, sealStatement, [name, client_secret, sealed, sealed_client_secret]);
}

const listSecretsStatement = sql(
  'list_secrets_of_providers',
  `select ${columns}
   from providers
   where client_secret is not null
     or sealed_client_secret is not null
   order by name
   limit 1000`,
);

export function listProvidersWithSecret(database: Database): Promise<Provider[]> {
  return rows<Provider>(database, listSecretsStatement);
}

const disableStatement = sql(
  'disable_provider',
  `with ${takenFromPruning("kind = 'provider' and key = $1")}, disabled as (
     update providers
     set disabled_at = coalesce(disabled_at, now())
     where name = $1
       and (${isEnabled('providers')} or exists (select from taken))
     returning name
   ), ${recordedEvent('disabled', 2)}
   select name from disabled`,
);

/** Disables a provider, which then completes no sign-in, even one that has begun. */
export function disableProvider(database: Database, name: string, recorded: RecordedEvent): Promise<boolean> {
  return hasRow(database, disableStatement, [name, ...recordedValues(recorded)]);
}

const enableStatement = sql(
  'enable_provider',
  `with enabled as (
     update providers
     set disabled_at = null
     where name = $1
       and not (${isEnabled('providers')})
     returning name
   ), ${recordedEvent('enabled', 2)}
   select name from enabled`,
);

export function enableProvider(database: Database, name: string, recorded: RecordedEvent): Promise<boolean> {
  return hasRow(database, enableStatement, [name, ...recordedValues(recorded)]);
}
