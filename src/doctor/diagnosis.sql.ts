import { isEnabled, subjectOf } from '../identity/active.sql.ts';
import { callChoice } from '../oauth/choice/choices.sql.ts';
import { type Database, hasRow, row, rows, sql } from '../postgres/database.ts';

// What the command doctor asks. Each statement reads a bounded number of rows by an index, however many rows there are.

/** Only the newest clients are looked at, up to this number. */
export const clientsLookedAt = 10_000;
/** How many clients are looked at for scopes that nobody has granted, and how many grants of each client. */
export const [clientsWithScopes, grantsOfClient] = [1000, 200] as const;

const newest = (limit: number) => `(
     select *
     from clients
     where ${isEnabled('clients')}
     order by created_at at time zone 'UTC' desc, client_id desc
     limit ${limit}) clients`;

/** How many clients, and a few of them by name. */
export interface Affected {
  count: number;
  examples: string[];
}

export interface ClientFacts {
  http_redirect: Affected;
  without_pkce: Affected;
  unused: Affected;
  names_address: Affected;
}

const affected = (condition: string) => `json_build_object(
       'count', count(*) filter (where ${condition}),
       'examples', coalesce(to_json((array_agg(client_id) filter (where ${condition}))[1:5]), '[]'))`;

const isHttp = `exists (
       select from unnest(redirect_uris) uri
       where uri ~ '^http:' and uri !~ '^http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d+)?([/?]|$)')`;
const mayOmitPkce = `profile is null and (secrets_sha256 <> '{}' or coalesce(token_endpoint_auth_method, 'none') <> 'none')`;
const mayNameAddress = `assertion_audience = 'address' and token_endpoint_auth_method = 'private_key_jwt' and profile is null`;
const isUnused = `coalesce(last_used_at, created_at) < now() - interval '180 days'`;

const clientFactsStatement = sql(
  'find_client_facts',
  `select ${affected(isHttp)} as http_redirect, ${affected(mayOmitPkce)} as without_pkce, ${affected(isUnused)} as unused,
     ${affected(mayNameAddress)} as names_address
   from ${newest(clientsLookedAt)}`,
);

export async function findClientFacts(database: Database): Promise<ClientFacts> {
  const none = { count: 0, examples: [] };
  const facts = await row<ClientFacts>(database, clientFactsStatement);
  return facts ?? { http_redirect: none, without_pkce: none, unused: none, names_address: none };
}

export interface NeverGranted {
  client_id: string;
  scopes: string[];
}

const neverGrantedStatement = sql(
  'find_scopes_never_granted',
  `select client_id, array(
     select scope
     from unnest(clients.scopes) scope
     where scope <> all (granted.scopes)) as scopes
   from ${newest(clientsWithScopes)}
   cross join lateral (
     select array_agg(distinct scope) as scopes
     from (
       select grants.scopes
       from grants
       where grants.client_id = clients.client_id
       limit ${grantsOfClient}) some_grants, unnest(some_grants.scopes) scope) granted
   where granted.scopes is not null
     and not clients.scopes <@ granted.scopes
   limit 20`,
);

/** Scopes that no grant of the client contains, of clients that have grants. */
export function findScopesNeverGranted(database: Database): Promise<NeverGranted[]> {
  return rows<NeverGranted>(database, neverGrantedStatement);
}

export interface UnusableKeys {
  client_id: string;
  /** the member of the registration that names the keys */
  field: 'jwks' | 'jwks_uri';
  problem: string;
}

const unusableKeysStatement = sql(
  'find_unusable_keys',
  `select clients.client_id, broken.field, broken.sentence as problem
   from ${newest(clientsWithScopes)}
   cross join check_client_security(to_jsonb(clients)) broken
   where broken.field in ('jwks', 'jwks_uri')
   limit 20`,
);

/** Clients whose keys, or address of keys, an earlier version has registered and this version does not use. */
export function findUnusableKeys(database: Database): Promise<UnusableKeys[]> {
  return rows<UnusableKeys>(database, unusableKeysStatement);
}

const hasSecretStatement = sql(
  'client_has_secret',
  `select client_id
   from clients
   where client_id = $1
     and $2 = any (secrets_sha256)
     and ${isEnabled('clients')}`,
);

export function clientHasSecret(database: Database, client_id: string, secret_sha256: Buffer): Promise<boolean> {
  return hasRow(database, hasSecretStatement, [client_id, secret_sha256]);
}

const findPasswordStatement = sql(
  'find_enabled_password',
  `select coalesce(password_hash, password_bcrypt) as hash
   from users
   where username = $1
     and ${isEnabled('users')}`,
);

/** The hash of an account that can sign in. */
export async function findEnabledPassword(database: Database, username: string): Promise<string | undefined> {
  return (await row<{ hash: string | null }>(database, findPasswordStatement, [username]))?.hash ?? undefined;
}

/** Further passwords are not counted. */
export const passwordsCounted = 1000;

const countPasswordsStatement = sql(
  'count_passwords',
  `select count(*)::integer as count
   from (
     select
     from users
     where num_nonnulls(password_bcrypt, password_hash, registered_password_bcrypt) > 0
     limit ${passwordsCounted}) some_passwords`,
);

/** Accounts with the hash of a password. */
export async function countPasswords(database: Database): Promise<number> {
  return (await row<{ count: number }>(database, countPasswordsStatement))?.count ?? 0;
}

/** Passkeys that are looked at; their ids are random, and so is this sample. */
const passkeysLookedAt = 10_000;

const passkeyHostsStatement = sql(
  'count_passkeys_by_host',
  `select rp_id, count(*)::integer as count
   from (
     select rp_id
     from passkeys
     order by credential_id
     limit ${passkeysLookedAt}) some_passkeys
   group by rp_id
   order by count(*) desc, rp_id
   limit 10`,
);

/** The hosts of people's passkeys, and how many passkeys each host has. */
export function countPasskeysByHost(database: Database): Promise<{ rp_id: string; count: number }[]> {
  return rows(database, passkeyHostsStatement);
}

const isDemoClientStatement = sql(
  'is_demo_client_enabled',
  `select client_id
   from clients
   where client_id = $1
     and is_demo
     and ${isEnabled('clients')}`,
);

export function isDemoClientEnabled(database: Database, client_id: string): Promise<boolean> {
  return hasRow(database, isDemoClientStatement, [client_id]);
}

export interface ChoiceFacts {
  name: string;
  /** whether all its functions belong to latchkey_reader */
  is_readable: boolean;
  unknown_scopes: string[];
}

const choiceFactsStatement = sql(
  'find_choice_facts',
  `select choices.name,
     (select count(*)
      from pg_proc defined
      where defined.proname = 'choice ' || choices.name
        and defined.pronamespace = current_schema()::regnamespace
        and pg_get_userbyid(defined.proowner) = 'latchkey_reader') = 4 as is_readable,
     array(
       select scope
       from unnest(choices.scopes) scope
       where not exists (select from scopes where scopes.name = scope)) as unknown_scopes
   from choices
   where ${isEnabled('choices')}
   order by choices.name
   limit 100`,
);

export function findChoiceFacts(database: Database): Promise<ChoiceFacts[]> {
  return rows<ChoiceFacts>(database, choiceFactsStatement);
}

const newestPeopleStatement = sql(
  'find_subjects_of_newest_people',
  `select ${subjectOf('users')} as sub
   from users
   where deleted_at is null
   order by user_id desc
   limit 3`,
);

/** The subjects of the people who came last. */
export async function findNewestSubjects(database: Database): Promise<string[]> {
  return (await rows<{ sub: string }>(database, newestPeopleStatement)).map(({ sub }) => sub);
}

/** What latchkey_reader may not read of what the query of a choice reads; null if nothing is amiss. */
export function findUnreadablePart(database: Database, choice: string): Promise<string | null> {
  return callChoice(database, `choice ${choice}`, []) as Promise<string | null>;
}

/** How many of a person's values nobody can choose. Rejects if the query of the choice fails or takes too long. */
export function countUnusableValues(database: Database, choice: string, sub: string): Promise<number> {
  return callChoice(database, `choice ${choice}`, [sub]) as Promise<number>;
}
