import pg from 'pg';
import { type Database, rows, sql } from './database.ts';
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
  `select register_client(
     ${named}, client_secret => $10, owner => $11, vouched => $12)`,
);

const changeStatement = sql(
  'change_registration',
  `select change_registration(
     ${named}, by_admin => $10)`,
);

/** Undefined, or the database's own sentence about what is wrong with the registration. */
export function registerApplication(
  database: Database,
  registration: Registration,
  client_secret: string | null,
  owner: Pick<User, 'username' | 'is_admin'>,
): Promise<string | undefined> {
  // an administrator vouches for what they register
  const values = [...valuesOf(registration), client_secret, owner.username, owner.is_admin];
  return refusalOf(rows(database, registerStatement, values));
}

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
    if (error instanceof pg.DatabaseError && error.code === '23514') return error.message;
    throw error;
  }
}
