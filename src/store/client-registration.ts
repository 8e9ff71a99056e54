import { type Database, rows, type Statement, sql } from '../postgres/database.ts';
import { refusedByRule } from '../postgres/errors.ts';
import { publicSuffixProblem } from '../protocol/public-suffix.ts';
import { type ClientSecurity, clientSecurity, ordinarySecurity } from './client-security.ts';
import type { User } from './users.ts';

// The rules of a registration are in migrations/functions/check_registration.sql, for seeds, commands and pages alike. One needs
// the list of public suffixes, which the database does not have; for seeds it is checked in postgres/seeds.ts.

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
  policy_uri?: string | null;
  tos_uri?: string | null;
  grant_types?: string[];
  resource_server?: boolean;
  security?: Partial<ClientSecurity>;
}

const registration = `select register_client(
     client_id => $1, client_secret => $2, name => $3, site_domain => $4, redirect_uris => $5, scopes => $6,
     required_scopes => $7, homepage_uri => $8, logo_uri => $9,
     grant_types => coalesce($10, '{authorization_code,refresh_token}'::text[]), resource_server => $11,
     ${clientSecurity.arguments}, policy_uri => $13, tos_uri => $14)
   from ${clientSecurity.from('$12')}`;

const registerClientStatement = sql('register_client', registration);

/** Throws an error whose message names every problem of the registration. */
export async function registerClient(database: Database, client: ClientRegistration): Promise<void> {
  await register(database, registerClientStatement, client.site_domain, registrationValues(client));
}

const registerNewClientStatement = sql(
  'register_new_client',
  `${registration}
   where not exists (select from clients where client_id = $1 and deleted_at is null)`,
);

/** Like registerClient, but returns false and changes nothing when the client exists. */
export async function registerNewClient(database: Database, client: ClientRegistration): Promise<boolean> {
  const registered = await register(
    database,
    registerNewClientStatement,
    client.site_domain,
    registrationValues(client),
  );
  return registered.length > 0;
}

class PublicSuffixError extends Error {}

/** Runs a statement that registers or changes a client of this site. */
async function register(
  database: Database,
  statement: Statement,
  site_domain: string | null,
  values: unknown[],
): Promise<unknown[]> {
  const problem = publicSuffixProblem(site_domain ?? '');
  if (problem !== undefined) throw new PublicSuffixError(problem);
  return rows(database, statement, values);
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
    { ...ordinarySecurity, ...client.security },
    client.policy_uri ?? null,
    client.tos_uri ?? null,
  ];
}

/** What a developer states about an application in the console. */
export interface Registration {
  client_id: string;
  name: string;
  site_domain: string | null;
  redirect_uris: string[];
  scopes: string[];
  required_scopes: string[];
  homepage_uri: string | null;
  logo_uri: string | null;
  policy_uri: string | null;
  tos_uri: string | null;
  scope_reasons: Record<string, string>;
}

const registerApplicationStatement = sql(
  'register_application',
  `with ticket as (
     insert into used_tickets (ticket_sha256)
     values ($15)
     on conflict do nothing
     returning ticket_sha256
   )
   select register_client(
     client_id => $1, name => $2, site_domain => $3, redirect_uris => $4, scopes => $5, required_scopes => $6,
     homepage_uri => $7, logo_uri => $8, scope_reasons => $9, policy_uri => $10, tos_uri => $11,
     client_secret => $12, owner => $13, vouched => $14)
   from ticket`,
);

export interface NewApplication extends Registration {
  client_secret: string | null;
  ticket_sha256: Buffer;
}

/** One broken rule; `rule` is its name in migrations/functions, `sentence` says it in English. */
export interface RegistrationProblem {
  field: string;
  rule: string;
  value: string | null;
  sentence: string;
}

/** Registers nothing if there are problems or if the ticket was used before. */
export function registerApplication(
  database: Database,
  application: NewApplication,
  owner: Pick<User, 'username' | 'is_admin'>,
): Promise<RegistrationOutcome> {
  const { client_secret, ticket_sha256, site_domain } = application;
  // an administrator vouches for what they register
  const values = [...valuesOf(application), client_secret, owner.username, owner.is_admin, ticket_sha256];
  return tryRegistration(database, registerApplicationStatement, site_domain, values);
}

const changeClientStatement = sql(
  'change_client',
  'select from change_client($1, $2, by_admin => $3) client_id where client_id is not null',
);

/** Changes nothing if there are problems or if the client was deleted. */
export function changeRegistration(
  database: Database,
  { client_id, ...changes }: Registration,
  by_admin: boolean,
): Promise<RegistrationOutcome> {
  return tryRegistration(database, changeClientStatement, changes.site_domain, [client_id, changes, by_admin]);
}

const changeSecurityStatement = sql(
  'change_client_security',
  `with ticket as (
     insert into used_tickets (ticket_sha256)
     values ($5)
     on conflict do nothing
     returning ticket_sha256
   )
   select
   from change_client($1, $2, by_admin => $3, secret_sha256 => (select $4::bytea from ticket)) client_id
   where client_id is not null`,
);

export interface SecurityChange {
  client_id: string;
  security: ClientSecurity;
  by_admin: boolean;
  /** becomes the secret of a client that goes over to one, unless the ticket was used before */
  secret_sha256: Buffer;
  ticket_sha256: Buffer;
}

/** Changes nothing if there are problems or if the client was deleted. */
export function changeClientSecurity(
  database: Database,
  { client_id, security, by_admin, secret_sha256, ticket_sha256 }: SecurityChange,
): Promise<RegistrationOutcome> {
  const values = [client_id, security, by_admin, secret_sha256, ticket_sha256];
  return tryRegistration(database, changeSecurityStatement, null, values);
}

function valuesOf(registration: Registration): unknown[] {
  const { client_id, name, site_domain, redirect_uris, scopes, required_scopes } = registration;
  const { homepage_uri, logo_uri, scope_reasons, policy_uri, tos_uri } = registration;
  const about = [homepage_uri, logo_uri, scope_reasons, policy_uri, tos_uri];
  return [client_id, name, site_domain, redirect_uris, scopes, required_scopes, ...about];
}

export interface RegistrationOutcome {
  /** false if there are problems, or if a condition of the statement is not met */
  isDone: boolean;
  problems: RegistrationProblem[];
}

/** As register, but returns the problems, which refuse_values raises as the detail of its error. */
export async function tryRegistration(...registration: Parameters<typeof register>): Promise<RegistrationOutcome> {
  try {
    return { isDone: (await register(...registration)).length > 0, problems: [] };
  } catch (error) {
    if (error instanceof PublicSuffixError) {
      const { message: sentence } = error;
      return { isDone: false, problems: [{ field: 'site_domain', rule: 'public_suffix', value: null, sentence }] };
    }
    if (refusedByRule(error) && error.detail !== undefined) {
      return { isDone: false, problems: JSON.parse(error.detail) };
    }
    throw error;
  }
}
