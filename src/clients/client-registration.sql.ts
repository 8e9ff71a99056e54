import { eventOf, type RecordedEvent, recordedEvent, recordedValues } from '../audit/audit.sql.ts';
import type { User } from '../identity/users.sql.ts';
import {
  type ClientRegistration,
  type ClientSecurity,
  type ClientValues,
  clientMemberNames,
  clientMembers,
  type OwnerRegistration,
  type SecurityMember,
  securityMembers,
  withDefaults,
} from '../lib/client-members.ts';
import { publicSuffixProblem } from '../lib/public-suffix.ts';
import { type Database, rows, type Statement, sql } from '../postgres/database.ts';
import { orProblems, type RegistrationProblem } from '../postgres/refused-values.sql.ts';
import { ticketUsed } from './client-secrets.sql.ts';
import type { Client } from './clients.sql.ts';

// The rules of a registration are in migrations/functions/check_registration.sql, for seeds, commands and pages alike. One needs
// the list of public suffixes, which the database does not have; for seeds it is checked in postgres/seeds.ts.

const registerClientStatement = sql('register_client', 'select keep_client($1)');

/** Throws an error whose message names every problem of the registration. */
export async function registerClient(database: Database, client: ClientRegistration): Promise<void> {
  await register(database, registerClientStatement, client.site_domain ?? null, [withDefaults(client)]);
}

/** Null: there is a client of this id, and nothing was changed. */
const registeredIfNew = `registered as (
     select client_id
     from tried
     where client_id is not null
   )`;

const registerNewClientStatement = sql(
  'register_new_client',
  `with tried as (
     select keep_client($1, 'command') as client_id
     where not exists (select from clients where client_id = $1::jsonb ->> 'client_id' and deleted_at is null)
   ), ${registeredIfNew}, ${recordedEvent('registered', 2)}
   select client_id from registered`,
);

/** Registers a client; if it exists, returns false and changes nothing. */
export async function registerNewClient(
  database: Database,
  client: ClientRegistration,
  recorded: RecordedEvent,
): Promise<boolean> {
  const values = [withDefaults(client), ...recordedValues(recorded)];
  return (await register(database, registerNewClientStatement, client.site_domain ?? null, values)).length > 0;
}

class PublicSuffixError extends Error {
  readonly problems: RegistrationProblem[];

  constructor(problems: RegistrationProblem[]) {
    super(problems.map(({ sentence }) => sentence).join('; '));
    this.problems = problems;
  }
}

const checkStatement = sql('check_registration', 'select field, rule, value, sentence from check_registration($1)');

/** Runs a statement that registers or changes a client of this site. */
async function register(
  database: Database,
  statement: Statement,
  site_domain: string | null,
  values: unknown[],
): Promise<{ is_changed?: boolean }[]> {
  const sentence = publicSuffixProblem(site_domain ?? '');
  if (sentence === undefined) return rows(database, statement, values);
  const problem = { field: 'site_domain', rule: 'public_suffix', value: null, sentence };
  // the problem of the site is reported together with the other problems of the registration; the first value of a
  // change is the id
  const [stated] = values;
  const others = typeof stated === 'object' ? await rows<RegistrationProblem>(database, checkStatement, [stated]) : [];
  throw new PublicSuffixError([problem, ...others.filter(({ field }) => field !== problem.field)]);
}

const registerApplicationStatement = sql(
  'register_application',
  `with ${ticketUsed('values ($2)')}, tried as (
     select keep_client($1, 'console') as client_id
     from ticket
   ), ${registeredIfNew}, ${recordedEvent('registered', 3)}
   select client_id from registered`,
);

export interface NewApplication {
  application: OwnerRegistration & Pick<ClientValues, 'client_id' | 'client_secret' | 'grant_types'>;
  owner: Pick<User, 'username' | 'is_admin'>;
  ticket_sha256: Buffer;
}

/** Registers nothing if there are problems, if the ticket was used before, or if there is a client of this id. */
export function registerApplication(
  database: Database,
  { application, owner: { username: owner, is_admin }, ticket_sha256 }: NewApplication,
  recorded: RecordedEvent,
): Promise<RegistrationOutcome> {
  // an administrator vouches for what they register
  const registration = withDefaults({ ...application, owner, vouched: is_admin });
  const values = [registration, ticket_sha256, ...recordedValues(recorded)];
  return tryRegistration(database, registerApplicationStatement, registration.site_domain, values);
}

// A form counts only for the row from which its page was made. The row is locked before it is compared, so of two forms that are
// saved at once the second sees what the first has stored.
const shownClient = (columns: readonly string[], shown: string) => `shown as (
     select client_id, secrets_sha256 <> '{}' as has_secret
     from clients
     where client_id = $1
       and deleted_at is null
       and jsonb_build_object(${columns.map((column) => `'${column}', ${column}`).join(', ')}) = ${shown}
     for update
   )`;

const valuesIn = (row: object, columns: readonly string[]) =>
  Object.fromEntries(Object.entries(row).filter(([column]) => columns.includes(column)));

const registrationColumns = clientMemberNames.filter(
  (name) => clientMembers[name].setBy.includes('owner') && !(name in securityMembers),
);

/** A registration that is saved without a change has no event. */
export const changedClient = '(select from saved where is_changed) changed';

const changeClientStatement = sql(
  'change_client',
  `with ${shownClient(registrationColumns, '$4')}, saved as (
     select save_client(client_id, $2, by_admin => $3) as is_changed
     from shown
   ), ${recordedEvent(changedClient, 5)}
   select is_changed from saved`,
);

export interface RegistrationChange {
  client_id: string;
  changes: OwnerRegistration;
  by_admin: boolean;
  /** the row that the form was made from */
  shown: Client;
}

/** Changes nothing if there are problems, or if the registration is not the one that was shown. */
export function changeRegistration(
  database: Database,
  { client_id, changes, by_admin, shown }: RegistrationChange,
  recorded: RecordedEvent,
): Promise<RegistrationOutcome> {
  const values = [client_id, changes, by_admin, valuesIn(shown, registrationColumns), ...recordedValues(recorded)];
  return tryRegistration(database, changeClientStatement, changes.site_domain, values);
}

const securityColumns = [
  ...new Set(
    (Object.keys(securityMembers) as SecurityMember[])
      .filter((name) => clientMembers[name].setBy.includes('owner'))
      .map((name) => clientMembers[name].column ?? name),
  ),
];
const updateClientStatement = sql(
  'update_client',
  `with saved as (
     select is_changed
     from save_client($1, $2, by_admin => true, secret_sha256 => $3) is_changed
     where is_changed is not null
   ), ${recordedEvent(changedClient, 4)}
   select is_changed from saved`,
);

/**
 * Changes a registration for an operator, who may change everything; the digest is for a client that gets its first secret. Returns
 * whether anything was changed; undefined if there is no such client. Throws as registerClient does.
 */
export async function updateClient(
  database: Database,
  { client_id, changes, secret_sha256 }: { client_id: string; changes: Partial<ClientValues>; secret_sha256: Buffer },
  recorded: RecordedEvent,
): Promise<boolean | undefined> {
  const values = [client_id, changes, secret_sha256, ...recordedValues(recorded)];
  return (await register(database, updateClientStatement, changes.site_domain ?? null, values))[0]?.is_changed;
}

const changeSecurityStatement = sql(
  'change_client_security',
  `with ${shownClient(securityColumns, '$6')}, ${ticketUsed('select $5 from shown')}, saved as (
     select client_id, has_secret, save_client(client_id, $2, by_admin => $3, secret_sha256 => (select $4::bytea from ticket)) as is_changed
     from shown
   ), ${recordedEvent(changedClient, 7)}, with_first_secret as (
     select client_id
     from saved
     where not has_secret
       and $2 ->> 'token_endpoint_auth_method' ~ '^client_secret_'
   ), ${eventOf('client_secret_added', 'with_first_secret', 11, { user_id: '$8', client_id: 'client_id' })}
   select is_changed from saved`,
);

export interface SecurityChange {
  client_id: string;
  security: ClientSecurity;
  by_admin: boolean;
  /** becomes the secret of a client that starts to use a secret, unless the ticket was used before */
  secret_sha256: Buffer;
  ticket_sha256: Buffer;
  /** the row that the form was made from */
  shown: Client;
}

/** Changes nothing if there are problems, or if the security is not as it was shown. A first secret has an event of its own. */
export function changeClientSecurity(
  database: Database,
  { client_id, security, by_admin, secret_sha256, ticket_sha256, shown }: SecurityChange,
  recorded: RecordedEvent,
): Promise<RegistrationOutcome> {
  const values = [client_id, security, by_admin, secret_sha256, ticket_sha256, valuesIn(shown, securityColumns)];
  return tryRegistration(database, changeSecurityStatement, null, [...values, ...recordedValues(recorded)]);
}

export interface RegistrationOutcome {
  /** false if there are problems, or if a condition of the statement is not met */
  isDone: boolean;
  /** false if the registration was the same before */
  isChanged: boolean;
  problems: RegistrationProblem[];
}

/** Registers a client, or returns the problems. */
export async function tryRegistration(...registration: Parameters<typeof register>): Promise<RegistrationOutcome> {
  try {
    const { done = [], problems = [] } = await orProblems(register(...registration));
    return { isDone: done.length > 0, isChanged: done.some(({ is_changed = true }) => is_changed), problems };
  } catch (error) {
    if (error instanceof PublicSuffixError) return { isDone: false, isChanged: false, problems: error.problems };
    throw error;
  }
}
