import { type Database, rows, sql } from '../postgres/database.ts';
import { refusedByRule } from '../postgres/errors.ts';
import type { User } from './users.ts';

/** What the rules of register_client are about, as a developer states it. */
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

const registerStatement = sql(
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

const changeStatement = sql(
  'change_registration',
  `select change_registration(
     ${named}, by_admin => $10)`,
);

export interface NewApplication extends Registration {
  client_secret: string | null;
  ticket_sha256: Buffer;
}

/** With the database's own sentence about what is wrong with it; nothing is registered with a ticket that was used before. */
export async function registerApplication(
  database: Database,
  application: NewApplication,
  owner: Pick<User, 'username' | 'is_admin'>,
): Promise<{ isRegistered: boolean; refusal?: string }> {
  const { client_secret, ticket_sha256 } = application;
  // an administrator vouches for what they register
  const values = [...valuesOf(application), client_secret, owner.username, owner.is_admin, ticket_sha256];
  const registered = rows(database, registerStatement, values);
  const refusal = await refusalOf(registered);
  return refusal === undefined ? { isRegistered: (await registered).length > 0 } : { isRegistered: false, refusal };
}

/** Undefined, or the database's own sentence about what is wrong with the registration. */
export function changeRegistration(
  database: Database,
  registration: Registration,
  by_admin: boolean,
): Promise<string | undefined> {
  return refusalOf(rows(database, changeStatement, [...valuesOf(registration), by_admin]));
}

function valuesOf(registration: Registration): unknown[] {
  const { client_id, name, site_domain, redirect_uris, scopes, required_scopes } = registration;
  const { homepage_uri, logo_uri, scope_reasons } = registration;
  return [client_id, name, site_domain, redirect_uris, scopes, required_scopes, homepage_uri, logo_uri, scope_reasons];
}

/** The rules of a registration live in the database, for SQL, the command line and the pages alike. */
async function refusalOf(change: Promise<unknown>): Promise<string | undefined> {
  try {
    await change;
    return undefined;
  } catch (error) {
    if (refusedByRule(error)) return error.message;
    throw error;
  }
}
