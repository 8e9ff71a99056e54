import { type RecordedEvent, recordedEvent, recordedValues } from '../audit/audit.sql.ts';
import { isEnabled } from '../identity/active.sql.ts';
import { spellingsOf, type TokenFormatName, thisServer } from '../lib/resource.ts';
import { type Database, hasRow, row, rows, sql } from '../postgres/database.ts';
import { keptFor } from '../postgres/kept.ts';
import { findPage, type Page } from '../postgres/pagination.sql.ts';

/** A resource of another server, for which clients can request tokens [8707]. */
export interface Resource {
  resource: string;
  scopes: string[];
  token_format: TokenFormatName;
}

const findResourcesStatement = sql(
  'find_resources',
  `select resource, scopes, token_format
   from resources
   where resource = any ($1)
     and ${isEnabled('resources')}`,
);

export function findResources(database: Database, resources: readonly string[]): Promise<Resource[]> {
  return rows<Resource>(database, findResourcesStatement, [resources]);
}

const findResourcesOfClientStatement = sql(
  'find_resources_of_client',
  `select resource, scopes, token_format
   from resources
   where client_id = $1
     and ${isEnabled('resources')}
   order by resource
   limit 100`,
);

/** The resources whose own server this client is. */
export function findResourcesOfClient(database: Database, client_id: string): Promise<Resource[]> {
  return rows<Resource>(database, findResourcesOfClientStatement, [client_id]);
}

const findOnlyResourceWithStatement = sql(
  'find_only_resource_with_scopes',
  `select min(resource) as resource
   from (
     select resource
     from resources
     where scopes @> $1
       and ${isEnabled('resources')}
     limit 2
   ) found
   having count(*) = 1`,
);

/** The resource that knows all these scopes; undefined if several resources do. */
export async function findOnlyResourceWith(database: Database, scopes: readonly string[]): Promise<string | undefined> {
  return (await row<{ resource: string }>(database, findOnlyResourceWithStatement, [scopes]))?.resource;
}

/** The resource that a token request names. */
export interface NamedResource {
  resource: string | undefined;
  /** see spellingsOf */
  other_spelling: string | undefined;
}

export const namedResourceColumns = { resource: 'text', other_spelling: 'text' } as const;

export function namedResource(resource: string | undefined): NamedResource {
  const [, other_spelling] = resource === undefined ? [] : spellingsOf(resource);
  return { resource, other_spelling };
}

/** Whether a token request says which resource it is for: a request that names no resource is for the only resource of its code. */
export const isResourceNamed = '(requests.resource is not null or cardinality(code.resources) = 1)';

/**
 * The resource of a new token as its code spells it, if a resource is named; reads `requests` and `code`. A code can have both
 * spellings, if a release before 1.2.0 registered them at the same moment. Statements repeat this expression, so it is short.
 */
export const newResource = `case
       when requests.other_spelling = any (code.resources) and requests.resource <> all (code.resources) then requests.other_spelling
       else coalesce(requests.resource, code.resources[1]) end`;

/** Whether a new token is for this server, which has one spelling. */
export const isNewHere = `coalesce(requests.resource, code.resources[1]) = '${thisServer}'`;

/** Returns the token format as a function call, because a subselect would be initialized in every execution. */
export const tokenFormatAt = (resource: string) =>
  `case ${resource} when '${thisServer}' then 'opaque' else token_format_at(${resource}) end`;

/** Whether a process can write the token. A process without a signing key issues no JWT, which would spend the code for nothing. */
export const isWritable = `(requests.can_sign or ${isNewHere} or token_format_at(${newResource}) <> 'jwt')`;

const findSignedStatement = sql(
  'find_resource_of_jwts',
  `select
   from resources
   where token_format = 'jwt'
   limit 1`,
);

const signed = keptFor<boolean>(5000);

/**
 * Whether any access tokens are signed; of the first resource with signed tokens a process learns within five seconds, or by
 * isWritable.
 */
export function signsAccessTokens(database: Database): Promise<boolean> {
  return signed(database, async () => hasRow(database, findSignedStatement));
}

/** The longest lifetime of a JWT, in seconds. Other servers accept a JWT until it expires, also after it was revoked here. */
export const jwtMaxTtl = 600;

/** Seconds for which a new token is valid. */
export const accessTokenTtl = `case
         when not ${isNewHere} and token_format_at(${newResource}) = 'jwt' then least(requests.access_token_ttl, ${jwtMaxTtl})
         else requests.access_token_ttl end`;

export interface RegisteredResource extends Resource {
  /** the client that is the server of the resource, and may introspect its tokens */
  client_id: string | null;
}

export interface ListedResource extends RegisteredResource {
  /** whether a seed no longer names the resource, which then counts as not registered */
  disabled: boolean;
}

const listResourcesStatement = sql(
  'list_resources',
  `select resource, scopes, client_id, token_format, disabled_at is not null as disabled
   from resources
   where resource > $1
   order by resource
   limit $2`,
);

/** Ordered by their URLs. */
export function listResources(database: Database, after: string, limit: number): Promise<Page<ListedResource>> {
  return findPage<ListedResource>(database, listResourcesStatement, [after], limit, ({ resource }) => resource);
}

const listed = keptFor<readonly RegisteredResource[]>(5000);

/** The first hundred, for the documentation. */
export function listFirstResources(database: Database): Promise<readonly RegisteredResource[]> {
  return listed(database, async () =>
    (await listResources(database, '', 100)).rows.filter(({ disabled }) => !disabled),
  );
}

const registerNewResourceStatement = sql(
  'register_new_resource',
  `with tried as (
     select register_resource(resource => $1, scopes => $2, client_id => $3, token_format => $4) as resource
     from set_config('latchkey.adds_new', 'yes', true)
     where not exists (select from resources where resource = any ($5))
   ), registered as (
     select resource
     from tried
     where resource is not null
   ), ${recordedEvent('registered', 6, { detail: 'resource' })}
   select resource from registered`,
);

/** The resource as it is stored, see register_resource; undefined if it exists, also in its other spelling: nothing was changed. */
export async function registerNewResource(
  database: Database,
  { resource, scopes, client_id, token_format }: RegisteredResource,
  recorded: RecordedEvent,
): Promise<string | undefined> {
  const values = [resource, scopes, client_id, token_format, spellingsOf(resource), ...recordedValues(recorded)];
  return (await row<Pick<Resource, 'resource'>>(database, registerNewResourceStatement, values))?.resource;
}

const findResourceStatement = sql(
  'find_resource',
  `select resource, scopes, client_id, token_format, disabled_at
   from resources
   where resource = $1`,
);

export interface FoundResource extends RegisteredResource {
  /** when a seed was run that no longer names the resource */
  disabled_at: Date | null;
}

/** Reads the resource anew, unlike the remembered look-ups. */
export function findResource(database: Database, resource: string): Promise<FoundResource | undefined> {
  return row<FoundResource>(database, findResourceStatement, [resource]);
}

/** Whether a resource is as it was shown to somebody, or was not shown. */
const isAsShown = (shown: string) =>
  `(${shown}::jsonb is null or jsonb_build_object('scopes', scopes, 'client_id', client_id, 'token_format', token_format) = ${shown})`;

const shownValue = (shown: RegisteredResource | undefined) =>
  shown ? { scopes: shown.scopes, client_id: shown.client_id, token_format: shown.token_format } : null;

// register_resource takes the same advisory lock before the row; here the row would otherwise be locked first, and both would wait
const changeResourceStatement = sql(
  'change_resource',
  `with found as (
     select resource, (scopes, client_id, token_format) is distinct from (expand_scopes($2), $3::text, $4::text) as is_other
     from resources, (select pg_advisory_xact_lock(hashtextextended(format('resource %s', rtrim($1, '/')), 0))) locked
     where resource = $1
       and ${isEnabled('resources')}
       and ${isAsShown('$5')}
     for update of resources
   ), changed as (
     select register_resource(resource, scopes => $2, client_id => $3, token_format => $4) as resource, is_other
     from found
   ), other as (
     select resource
     from changed
     where is_other
   ), ${recordedEvent('other', 6)}
   select is_other from changed`,
);

/**
 * Gives a resource other scopes, another client or another format of tokens. `same`: it has them already, and no event was written.
 * Undefined if the resource is gone or disabled, or not as it was shown to somebody.
 */
export async function changeResource(
  database: Database,
  { resource, scopes, client_id, token_format }: RegisteredResource,
  recorded: RecordedEvent,
  shown?: RegisteredResource,
): Promise<'changed' | 'same' | undefined> {
  const values = [resource, scopes, client_id, token_format, shownValue(shown), ...recordedValues(recorded)];
  const done = await row<{ is_other: boolean }>(database, changeResourceStatement, values);
  return done && (done.is_other ? 'changed' : 'same');
}

const deleteResourceStatement = sql(
  'delete_resource',
  `with deleted as (
     delete from resources
     where resource = $1
       and ${isAsShown('$2')}
     returning resource
   ), ${recordedEvent('deleted', 3)}
   select resource from deleted`,
);

/**
 * Ends the tokens of the resource, too, except JWTs that its server checks by itself. False if the resource is gone, or not as it
 * was shown to somebody.
 */
export function deleteResource(
  database: Database,
  resource: string,
  recorded: RecordedEvent,
  shown?: RegisteredResource,
): Promise<boolean> {
  return hasRow(database, deleteResourceStatement, [resource, shownValue(shown), ...recordedValues(recorded)]);
}
