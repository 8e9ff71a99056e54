import { batched } from '../postgres/batches.ts';
import { type Database, row, rows, sql } from '../postgres/database.ts';
import { isEnabled } from './active.ts';
import { type Page, pageOf } from './pages.ts';

export interface Client {
  client_id: string;
  name: string;
  site_domain: string;
  homepage_uri: string | null;
  logo_uri: string | null;
  redirect_uris: string[];
  scopes: string[];
  required_scopes: string[];
  /** why it needs a permission, or what does not work without it, in its own words */
  scope_reasons: Record<string, string>;
  grant_types: string[];
  /** newest first; none: a public client */
  secrets_sha256: Buffer[];
  resource_server: boolean;
  owner_id: number | null;
  created_at: Date;
  disabled_at: Date | null;
  /** whether an administrator vouches for it */
  vouched: boolean;
}

const columns = `client_id, name, site_domain, homepage_uri, logo_uri, redirect_uris, scopes, required_scopes,
  scope_reasons, grant_types, secrets_sha256, resource_server, owner_id, created_at, disabled_at, vouched`;

const findByClientId = batched<{ client_id: string }, Client>(
  'find_client',
  { client_id: 'text' },
  (asked) => `
   select place, ${columns}
   from ${asked}
   join clients using (client_id)
   where deleted_at is null`,
);

export async function findClient(database: Database, client_id: string): Promise<Client | undefined> {
  const client = await findAnyClient(database, client_id);
  return client?.disabled_at ? undefined : client;
}

/** Disabled ones too: for who administers them, and to tell an operator why a request was refused. */
export function findAnyClient(database: Database, client_id: string): Promise<Client | undefined> {
  return findByClientId(database, { client_id });
}

const listClientsStatement = sql(
  'list_clients',
  `select ${columns}
   from clients
   where client_id > $1
     and deleted_at is null
   order by client_id
   limit $2`,
);

/** By client_id. */
export async function listClients(database: Database, after: string, most: number): Promise<Page<Client>> {
  return pageOf(await rows<Client>(database, listClientsStatement, [after, most + 1]), most, (one) => one.client_id);
}

const isSiteStatement = sql(
  'is_site_of_client',
  `select 1
   from clients
   where site_domain = any ($1)
     and ${isEnabled('clients')}
   limit 1`,
);

/** Whether a host lies within the site domain of a registered application: its own name, or what is left of it after a dot. */
export async function isSiteOfClient(database: Database, host: string): Promise<boolean> {
  const labels = host.split('.');
  const domains = labels.map((_, index) => labels.slice(index).join('.'));
  return (await row(database, isSiteStatement, [domains])) !== undefined;
}

export interface ClientRegistration {
  client_id: string;
  client_secret: string | null;
  name: string;
  site_domain: string;
  redirect_uris: string[];
  scopes: string[];
  required_scopes: string[];
  homepage_uri?: string | null;
  logo_uri?: string | null;
  grant_types?: string[];
  resource_server?: boolean;
}

const registration = `select register_client(
     client_id => $1, client_secret => $2, name => $3, site_domain => $4, redirect_uris => $5, scopes => $6,
     required_scopes => $7, homepage_uri => $8, logo_uri => $9,
     grant_types => coalesce($10, '{authorization_code,refresh_token}'::text[]), resource_server => $11)`;

const registerClientStatement = sql('register_client', registration);

/** Throws the database's own sentence about what is wrong with the registration. */
export async function registerClient(database: Database, client: ClientRegistration): Promise<void> {
  await rows(database, registerClientStatement, registrationValues(client));
}

const registerNewClientStatement = sql(
  'register_new_client',
  `${registration}
   where not exists (select from clients where client_id = $1 and deleted_at is null)`,
);

/** Unlike registerClient leaves a registration alone that is there already, and says false. */
export async function registerNewClient(database: Database, client: ClientRegistration): Promise<boolean> {
  return (await row(database, registerNewClientStatement, registrationValues(client))) !== undefined;
}

function registrationValues(client: ClientRegistration): unknown[] {
  return [
    client.client_id,
    client.client_secret,
    client.name,
    client.site_domain,
    client.redirect_uris,
    client.scopes,
    client.required_scopes,
    client.homepage_uri ?? null,
    client.logo_uri ?? null,
    client.grant_types ?? null,
    client.resource_server ?? false,
  ];
}

const rotateSecretStatement = sql(
  'rotate_client_secret',
  `update clients
   set secrets_sha256 = $2::bytea || secrets_sha256[1:1],
       secrets_since = now() || secrets_since[1:1]
   where client_id = $1
     and cardinality(secrets_sha256) > 0
     and deleted_at is null
   returning client_id`,
);

/** The new secret is valid at once, the one before it until the next rotation, so that nothing has to happen at the same moment. */
export async function rotateClientSecret(database: Database, client_id: string, digest: Buffer): Promise<boolean> {
  return (await row(database, rotateSecretStatement, [client_id, digest])) !== undefined;
}

const enableClientStatement = sql(
  'enable_client',
  `update clients
   set disabled_at = null
   where client_id = $1
     and deleted_at is null
   returning client_id`,
);

export async function enableClient(database: Database, client_id: string): Promise<boolean> {
  return (await row(database, enableClientStatement, [client_id])) !== undefined;
}

const disableClientStatement = sql(
  'disable_client',
  `update clients
   set disabled_at = now(),
     disabled_by_owner = false
   where client_id = $1
     and deleted_at is null
   returning client_id`,
);

export async function disableClient(database: Database, client_id: string): Promise<boolean> {
  return (await row(database, disableClientStatement, [client_id])) !== undefined;
}

const vouchStatement = sql(
  'vouch_for_client',
  `update clients
   set vouched = $2
   where client_id = $1
   returning client_id`,
);

export async function vouchForClient(database: Database, client_id: string, vouched: boolean): Promise<boolean> {
  return (await row(database, vouchStatement, [client_id, vouched])) !== undefined;
}
