import { type Database, row, rows, sql } from '../postgres/database.ts';
import { refusedByRule } from '../postgres/errors.ts';
import type { User } from './users.ts';

// The rules of a registration are in migrations/functions/check_registration.sql, for seeds, commands and pages alike.

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

/** Throws an error whose message names every problem of the registration. */
export async function registerClient(database: Database, client: ClientRegistration): Promise<void> {
  await rows(database, registerClientStatement, registrationValues(client));
}

const registerNewClientStatement = sql(
  'register_new_client',
  `${registration}
   where not exists (select from clients where client_id = $1 and deleted_at is null)`,
);

/** Like registerClient, but returns false and changes nothing when the client exists. */
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
  scope_reasons: Record<string, string>;
}

const named = `client_id => $1, name => $2, site_domain => $3, redirect_uris => $4, scopes => $5,
     required_scopes => $6, homepage_uri => $7, logo_uri => $8, scope_reasons => $9`;

const registerApplicationStatement = sql(
  'register_application',
  `with ticket as (
     insert into used_tickets (ticket_sha256)
     values ($13)
     on conflict do nothing
     returning ticket_sha256
   )
   select register_client(
     ${named}, client_secret => $10, owner => $11, vouched => $12)
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
export async function registerApplication(
  database: Database,
  application: NewApplication,
  owner: Pick<User, 'username' | 'is_admin'>,
): Promise<{ isRegistered: boolean; problems: RegistrationProblem[] }> {
  const { client_secret, ticket_sha256 } = application;
  // an administrator vouches for what they register
  const values = [...valuesOf(application), client_secret, owner.username, owner.is_admin, ticket_sha256];
  const registered = rows(database, registerApplicationStatement, values);
  const problems = await problemsOf(registered);
  return { isRegistered: problems.length === 0 && (await registered).length > 0, problems };
}

const changeRegistrationStatement = sql(
  'change_registration',
  `select change_registration(
     ${named}, by_admin => $10)`,
);

/** All problems of the registration; none if it was changed. */
export function changeRegistration(
  database: Database,
  registration: Registration,
  by_admin: boolean,
): Promise<RegistrationProblem[]> {
  return problemsOf(rows(database, changeRegistrationStatement, [...valuesOf(registration), by_admin]));
}

function valuesOf(registration: Registration): unknown[] {
  const { client_id, name, site_domain, redirect_uris, scopes, required_scopes } = registration;
  const { homepage_uri, logo_uri, scope_reasons } = registration;
  return [client_id, name, site_domain, redirect_uris, scopes, required_scopes, homepage_uri, logo_uri, scope_reasons];
}

/** The problems that refuse_values raised as the detail of its error. */
async function problemsOf(change: Promise<unknown>): Promise<RegistrationProblem[]> {
  try {
    await change;
    return [];
  } catch (error) {
    if (refusedByRule(error) && error.detail !== undefined) return JSON.parse(error.detail);
    throw error;
  }
}
