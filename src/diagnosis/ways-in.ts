import type { Config } from '../config.ts';
import { fetchWebsiteKeys } from '../grants/website-keys.ts';
import { FetchError } from '../outbound/fetch-document.ts';
import type { Database } from '../postgres/database.ts';
import { countPasswords, passwordsCounted } from '../store/diagnosis.ts';
import { listOfferedProviders } from '../store/providers.ts';
import { type Finding, finding } from './finding.ts';

/** How people sign in, if not by a password. */
export async function wayFindings(config: Config, database: Database): Promise<Finding[]> {
  const ofPasswords = config.passwords
    ? []
    : [...(await noWayIn(config, database)), ...(await keptPasswords(database))];
  return [...ofPasswords, ...(await keySetFindings(config))];
}

async function noWayIn({ website }: Config, database: Database): Promise<Finding[]> {
  if (website || (await listOfferedProviders(database)).length > 0) return [];
  return [
    finding('warning', 'user_no_way_in', {
      what: 'people have no password here, and there is no login page elsewhere and no provider',
      value: 'PASSWORDS=off, without SIGN_IN_URL',
      change: 'SIGN_IN_URL=https://…, select register_provider(…), or PASSWORDS=on',
    }),
  ];
}

async function keptPasswords(database: Database): Promise<Finding[]> {
  const count = await countPasswords(database);
  if (count === 0) return [];
  return [
    finding('note', 'user_passwords_kept', {
      what: 'accounts have kept the hash of a password from before PASSWORDS=off, which opens nothing now',
      value: count < passwordsCounted ? `${count} accounts` : `${passwordsCounted} accounts or more`,
      change: 'update users set password_bcrypt = null, password_hash = null, registered_password_bcrypt = null',
    }),
  ];
}

async function keySetFindings({ website, issuer }: Config): Promise<Finding[]> {
  if (!website || !('jwks_uri' in website)) return [];
  try {
    await fetchWebsiteKeys(website.jwks_uri, issuer);
    return [];
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const what = `the keys of the login page cannot be fetched: ${error.message}`;
    const value = `SIGN_IN_JWKS ${website.jwks_uri}`;
    return [finding('warning', 'website_keys', { what, value, change: 'the address, or what answers there' })];
  }
}
