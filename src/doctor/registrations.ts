import type { Config } from '../config/config.ts';
import { comparePassword } from '../identity/password-hashing.ts';
import { type Finding, finding, type Severity } from '../lib/finding.ts';
import { digestOf } from '../lib/secrets.ts';
import { demoAccount, demoClient } from '../playground/demo.sql.ts';
import type { Database } from '../postgres/database.ts';
import {
  type Affected,
  clientHasSecret,
  findClientFacts,
  findEnabledPassword,
  findScopesNeverGranted,
  findUnusableKeys,
  isDemoClientEnabled,
} from './diagnosis.sql.ts';
import { documentedSecrets } from './secrets.ts';

/** The clients and accounts in the database. */
export async function registrationFindings(config: Config, database: Database): Promise<Finding[]> {
  const found = [
    await clientFindings(database),
    await keyFindings(database),
    await scopeFindings(database),
    await exampleFindings(database),
  ];
  // in the demo, its account and client are meant to be there
  if (!config.demo) found.push(await demoFindings(database));
  return found.flat();
}

async function clientFindings(database: Database): Promise<Finding[]> {
  const { http_redirect, without_pkce, unused, names_address } = await findClientFacts(database);
  const some = (affected: Affected, severity: Severity, check: string, [what, change]: [string, string]) => {
    const more = affected.count - affected.examples.length;
    const value = `${affected.examples.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return affected.count > 0 ? [finding(severity, check, { what, value, change })] : [];
  };
  return [
    ...some(http_redirect, 'error', 'client_http_redirect', [
      'codes for a client travel without encryption, because a redirection URI is http and not loopback',
      'select register_client(…, redirect_uris => array[…]) with https',
    ]),
    ...some(unused, 'warning', 'client_unused', [
      'a client was not used for 180 days, and its credentials are still valid',
      'latchkey client disable ID',
    ]),
    ...some(without_pkce, 'note', 'client_without_pkce', [
      'a confidential client may leave out PKCE',
      "let its library send code_challenge, which is then compared; only profile => 'fapi2' demands it, together with pushed requests, bound tokens and keys instead of secrets",
    ]),
    ...some(names_address, 'note', 'client_assertion_audience', [
      'the assertions of a client may still name an address of this server instead of the issuer',
      "select register_client(…, assertion_audience => 'issuer'), once it names the issuer",
    ]),
  ];
}

/** Nobody is told at an upgrade: a seed or a change of the registration is refused, and a request of the client. */
async function keyFindings(database: Database): Promise<Finding[]> {
  const found = await findUnusableKeys(database);
  return found.map(({ client_id, field, problem }) =>
    finding('error', 'client_key_unusable', {
      what: 'a client is registered with a key that is not used',
      value: `${client_id}: ${problem}`,
      change: `select register_client(client_id => '${client_id}', …, ${field} => …) with another ${field === 'jwks' ? 'key' : 'address'}`,
    }),
  );
}

async function scopeFindings(database: Database): Promise<Finding[]> {
  const found = await findScopesNeverGranted(database);
  return found.map(({ client_id, scopes }) =>
    finding('note', 'client_scopes_never_granted', {
      what: 'a client is registered for permissions that no grant of it contains',
      value: `${client_id}: ${scopes.join(' ')}`,
      change: `select register_client(client_id => '${client_id}', …, scopes => array[…]) without them`,
    }),
  );
}

async function hasPassword(database: Database, username: string, password: string): Promise<boolean> {
  const hash = await findEnabledPassword(database, username);
  return hash !== undefined && (await comparePassword(password, hash));
}

/** Finds what somebody has copied from the documentation. */
async function exampleFindings(database: Database): Promise<Finding[]> {
  const { client, user } = documentedSecrets;
  const found: Finding[] = [];
  if (await clientHasSecret(database, client.client_id, digestOf(client.client_secret))) {
    const what = 'the secret of a client appears in the documentation of Latchkey';
    const change = `latchkey client rotate-secret ${client.client_id} --now`;
    found.push(finding('error', 'client_secret_documented', { what, value: client.client_id, change }));
  }
  if (await hasPassword(database, user.username, user.password)) {
    found.push(knownPassword(user.username));
  }
  return found;
}

const knownPassword = (username: string) =>
  finding('error', 'user_password_documented', {
    what: 'the password of an account appears in the documentation of Latchkey',
    value: username,
    change: `latchkey user set-password ${username}`,
  });

async function demoFindings(database: Database): Promise<Finding[]> {
  const found: Finding[] = [];
  if (await hasPassword(database, demoAccount.username, demoAccount.password)) {
    found.push(knownPassword(demoAccount.username));
  }
  if (await isDemoClientEnabled(database, demoClient)) {
    const what = 'the client of the demo is enabled; the next start without the demo disables it';
    found.push(
      finding('warning', 'demo_client', { what, value: demoClient, change: `latchkey client disable ${demoClient}` }),
    );
  }
  return found;
}
