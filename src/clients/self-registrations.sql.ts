import {
  eventOf,
  eventValues,
  type RecordedEvent,
  recordedEvent,
  recordedValues,
  type Trace,
} from '../audit/audit.sql.ts';
import { isEnabled, isUnrevoked, isUsableInvitation } from '../identity/active.sql.ts';
import { type SelfStatement, withDefaults } from '../lib/client-members.ts';
import { type Database, hasRow, row, sql } from '../postgres/database.ts';
import { changedClient, type RegistrationOutcome, tryRegistration } from './client-registration.sql.ts';
import { type Client, clientColumns } from './clients.sql.ts';

// Clients that registered themselves [7591]. Nobody owns them, and no administrator vouches for them.

/** What such a client states about itself, and the site of its redirection URIs; null: they have none in common. */
export type SelfRegistration = SelfStatement & {
  client_id: string;
  site_domain: string | null;
  offered_methods: string[] | null;
};

export type SelfRegisteredClient = Client & { token_endpoint_auth_method: string };

const registering = (source: string, first: number) => `registered as (
     select keep_client(without_foreign_links($1), 'application') as client_id${source}
   ), kept as (
     insert into self_registrations (client_id, token_sha256)
     select client_id, $2
     from registered
     returning client_id
   ), ${recordedEvent('kept', first)}
   select client_id from kept`;

const registerStatement = sql('register_itself', `with ${registering('', 3)}`);

const registerInvitedStatement = sql(
  'register_itself_by_invitation',
  `with invitation as (
     update invitations
     set uses_left = uses_left - 1
     where token_sha256 = $3
       and ${isUsableInvitation}
     returning invitation_id
   ), ${registering('\n     from invitation', 4)}`,
);

/** The secrets by which the client proves later that it is the one that registered, and that of the invitation, if it was invited. */
export interface SelfRegistrationSecrets {
  client_secret: string | null;
  token_sha256: Buffer;
  invitation_sha256: Buffer | undefined;
}

/** Registers a new client; with an invitation, unless that permits no more. */
export function registerItself(
  database: Database,
  registration: SelfRegistration,
  { client_secret, token_sha256, invitation_sha256 }: SelfRegistrationSecrets,
  recorded: RecordedEvent,
): Promise<RegistrationOutcome> {
  const { site_domain, ...stated } = registration;
  const members = withDefaults({ ...stated, site_domain, client_secret, vouched: false });
  const statement = invitation_sha256 ? registerInvitedStatement : registerStatement;
  const values = [
    members,
    token_sha256,
    ...(invitation_sha256 ? [invitation_sha256] : []),
    ...recordedValues(recorded),
  ];
  return tryRegistration(database, statement, site_domain, values);
}

/** Whether the token is that of the client and no operator has disabled the client: a change must not undo that. */
const isPermitted = `self_registrations.client_id = $1
     and self_registrations.token_sha256 = $2
     and ${isEnabled('clients')}`;

const findStatement = sql(
  'find_self_registration',
  `select ${clientColumns}
   from self_registrations
   join clients using (client_id)
   where ${isPermitted}`,
);

/** The client to which the registration access token belongs [7592 §2.1]. */
export function findSelfRegistration(
  database: Database,
  client_id: string,
  token_sha256: Buffer,
): Promise<SelfRegisteredClient | undefined> {
  return row<SelfRegisteredClient>(database, findStatement, [client_id, token_sha256]);
}

const changeStatement = sql(
  'change_self_registration',
  `with permitted as (
     select clients.client_id, clients.required_scopes, clients.has_fixed_scopes, clients.site_domain <> stated.site_domain as moves
     from self_registrations
     join clients using (client_id)
     cross join jsonb_populate_record(null::clients, $3) stated
     where ${isPermitted}
       and stated.scopes <@ clients.scopes
       and (stated.token_endpoint_auth_method = clients.token_endpoint_auth_method
         or (stated.token_endpoint_auth_method ~ '^client_secret_' and clients.secrets_sha256 <> '{}'))
     for update of clients
   ), ended_grants as (
     update grants
     set revoked_at = now()
     where (select moves from permitted)
       and grants.client_id = $1
       and ${isUnrevoked('grants')}
   ), ended_requests as (
     update pushed_requests
     set completed_at = now()
     where (select moves from permitted)
       and pushed_requests.client_id = $1
       and completed_at is null
   ), saved as (
     select save_client(client_id, by_admin => false, changes => without_foreign_links($3) || jsonb_build_object(
       'required_scopes', array(select scope from unnest(required_scopes) scope where $3 -> 'scopes' ? scope),
       'has_fixed_scopes', has_fixed_scopes)) as is_changed
     from permitted
   ), ${recordedEvent(changedClient, 4)}
   select is_changed from saved`,
);

/**
 * Replaces what the client states about itself [7592 §2.2]; not done if the token, the scopes or the type of the client do not permit
 * it. People have allowed something to the site that they were shown: all of that ends when the client moves to another one.
 */
export function changeSelfRegistration(
  database: Database,
  registration: SelfRegistration,
  token_sha256: Buffer,
  recorded: RecordedEvent,
): Promise<RegistrationOutcome> {
  const values = [registration.client_id, token_sha256, registration, ...recordedValues(recorded)];
  return tryRegistration(database, changeStatement, registration.site_domain, values);
}

const deleteStatement = sql(
  'delete_self_registration',
  `with deleted as (
     update clients
     set deleted_at = now(),
       disabled_at = now(),
       owner_id = null
     from self_registrations
     where clients.client_id = $1
       and ${isPermitted}
     returning clients.client_id
   ), ${recordedEvent('deleted', 3)}
   select client_id from deleted`,
);

/** Deletes a client as an operator does: nothing of it works any more, and the sweep deletes the rest. */
export function deleteSelfRegistration(
  database: Database,
  client_id: string,
  token_sha256: Buffer,
  recorded: RecordedEvent,
): Promise<boolean> {
  return hasRow(database, deleteStatement, [client_id, token_sha256, ...recordedValues(recorded)]);
}

/** The detail of the event `token_leaked` for a token that belongs to no person. */
export const leakedRegistrationToken = 'registration access token';

const withdrawTokenStatement = sql(
  'withdraw_registration_token',
  `with withdrawn as (
     update self_registrations
     set token_sha256 = null
     where token_sha256 = $1
     returning client_id
   ), ${eventOf('token_leaked', 'withdrawn', 2, { user_id: 'null::integer', client_id: 'client_id', detail: `'${leakedRegistrationToken}'` })}
   select client_id
   from withdrawn`,
);

/** Withdraws a registration token that has leaked: nobody can change the registration any more. Returns the client_id. */
export async function withdrawRegistrationToken(
  database: Database,
  token_sha256: Buffer,
  trace: Trace,
): Promise<string | undefined> {
  const values = [token_sha256, ...eventValues(trace)];
  return (await row<Pick<Client, 'client_id'>>(database, withdrawTokenStatement, values))?.client_id;
}

/** Whether one of these sites is banned, or an operator has disabled a client there that had registered itself or has a metadata document. */
export const isBarred = (sites: string) => `(exists (
     select
     from banned_sites
     where banned_sites.site_domain = any (${sites}))
   or exists (
     select
     from clients barring
     -- the limit keeps the planner from starting with all registrations
     join lateral (
       select 1
       from self_registrations
       where self_registrations.client_id = barring.client_id
       union all
       select 1
       from client_documents
       where client_documents.client_id = barring.client_id
       limit 1) registered_by_itself
       on true
     where barring.site_domain = any (${sites})
       and not ${isEnabled('barring')}
       and barring.deleted_at is null
       and not barring.disabled_by_owner))`;

const isBarredStatement = sql('is_barred_site', `select 1 where ${isBarred('$1')}`);

export function hasBarredSite(database: Database, sites: readonly string[]): Promise<boolean> {
  return hasRow(database, isBarredStatement, [sites]);
}

const findBuriedStatement = sql(
  'find_buried_client',
  `select name
   from buried_clients
   where client_id = $1
     and not exists (
       select
       from clients
       where clients.client_id = buried_clients.client_id)`,
);

/** Returns the name of a client that had registered itself, was used, and was deleted because nobody used it any more. */
export async function findBuriedName(database: Database, client_id: string): Promise<string | undefined> {
  return (await row<Pick<Client, 'name'>>(database, findBuriedStatement, [client_id]))?.name;
}
