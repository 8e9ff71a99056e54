import type { Config } from '../config/config.ts';
import { type Finding, finding } from '../lib/finding.ts';
import { listOfferedProviders } from '../people/providers/providers.sql.ts';
import { fetchWebsiteKeys } from '../people/website/website-keys.ts';
import type { Database } from '../postgres/database.ts';
import { FetchError } from '../web/fetch-document.ts';
import { countPasskeysByHost, countPasswords, passwordsCounted } from './diagnosis.sql.ts';

/** How people sign in, if not by a password. */
export async function wayFindings(config: Config, database: Database): Promise<Finding[]> {
  const ofPasswords = config.passwords
    ? []
    : [...(await noWayIn(config, database)), ...(await keptPasswords(database))];
  return [...ofPasswords, ...(await deadPasskeys(config, database)), ...(await keySetFindings(config))];
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
      what: 'accounts still have the hash of a password from before PASSWORDS=off, which is no longer used',
      value:
        count === 1
          ? '1 account'
          : count < passwordsCounted
            ? `${count} accounts`
            : `${passwordsCounted} accounts or more`,
      change: 'update users set password_bcrypt = null, password_hash = null, registered_password_bcrypt = null',
    }),
  ];
}

/**
 * Finds passkeys that no longer work. A passkey works at the host for which it was made, so it does not survive a move of the issuer to
 * another one.
 */
async function deadPasskeys({ issuer, passkeys }: Config, database: Database): Promise<Finding[]> {
  const hosts = await countPasskeysByHost(database);
  const dead = hosts.filter(({ rp_id }) => rp_id !== passkeys?.rp_id);
  if (dead.length === 0) return [];
  const counts = (some: typeof hosts) => some.map(({ rp_id, count }) => `${count} of ${rp_id}`).join(', ');
  const live = hosts.filter((one) => !dead.includes(one));
  return [
    finding('warning', 'user_passkeys_dead', {
      what: passkeys
        ? 'passkeys were made for another host than that of ISSUER, and nobody can sign in with them'
        : 'nobody can sign in with passkeys here: PASSWORDS is off, or ISSUER has an IP address',
      value: live.length > 0 ? `${counts(dead)}; ${counts(live)} work` : counts(dead),
      change: `ISSUER with its earlier host instead of ${issuer}, or new passkeys; people without a password get one by latchkey user set-password`,
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
    return [
      finding('warning', 'website_keys', { what, value, change: 'the address, or the server that answers there' }),
    ];
  }
}
