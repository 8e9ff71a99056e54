import { type RecordedEvent, recordedEvent, recordedValues } from '../audit/audit.sql.ts';
import { isEnabled } from '../identity/active.sql.ts';
import { type Database, hasRow, row, rows, sql } from '../postgres/database.ts';
import { findPage, type Page } from '../postgres/pagination.sql.ts';

export interface BannedSite {
  site_domain: string;
  banned_at: Date;
}

/** Whether a host is a site, or lies below it, compared from the end of the host: both ends of a range, which an index finds. */
const liesWithin = (host: string, site: string) => `(reverse(${host}) collate "C" = reverse(${site})
       or reverse(${host}) collate "C" >= reverse(${site}) || '.' and reverse(${host}) collate "C" < reverse(${site}) || '/')`;

const banStatement = sql(
  'ban_site',
  `with banned as (
     insert into banned_sites (site_domain)
     values ($1)
     on conflict on constraint banned_sites_pkey do update
     set banned_at = banned_sites.banned_at
     returning banned_at, banned_at = now() as is_new
   ), stopped as (
     update clients
     -- by which it is known what the ban has disabled
     set disabled_at = banned_at,
       disabled_by_owner = false
     from banned
     where ${liesWithin('site_domain', '$1::text')}
       and deleted_at is null
       and not vouched
       and (${isEnabled('clients')} or disabled_by_owner)
     returning client_id
   ), new_ban as (
     select
     from banned
     where is_new
   ), ${recordedEvent('new_ban', 2)}
   select (select count(*)::integer from stopped) as disabled, is_new
   from banned`,
);

interface Ban {
  disabled: number;
  is_new: boolean;
}

/** Stops the applications of a site, and of those below it, for which nobody vouches; how many there were, and whether it was not banned before. */
export async function banSite(database: Database, site_domain: string, recorded: RecordedEvent): Promise<Ban> {
  const banned = await row<Ban>(database, banStatement, [site_domain, ...recordedValues(recorded)]);
  return banned ?? { disabled: 0, is_new: false };
}

const unbanStatement = sql(
  'unban_site',
  `with unbanned as (
     delete from banned_sites
     where site_domain = $1
     returning banned_at
   ), returned as (
     update clients
     -- what another ban bars, of a site above or below, that ban keeps disabled
     set (disabled_at, disabled_by_owner) = (
       select coalesce(max(other.banned_at), clients.disabled_at), max(other.banned_at) is null
       from banned_sites other
       where other.site_domain <> $1
         and other.site_domain in (
           select array_to_string(labels[place:], '.')
           from string_to_array(left(clients.site_domain, 253), '.') labels, generate_series(1, cardinality(labels)) place))
     from unbanned
     where ${liesWithin('site_domain', '$1::text')}
       and deleted_at is null
       and disabled_at = banned_at
   ), ${recordedEvent('unbanned', 2)}
   select banned_at
   from unbanned`,
);

/**
 * What the ban has disabled stays so until its owner enables it, or its site publishes its document again; neither can while another ban
 * holds. False if it is not banned.
 */
export function unbanSite(database: Database, site_domain: string, recorded: RecordedEvent): Promise<boolean> {
  return hasRow(database, unbanStatement, [site_domain, ...recordedValues(recorded)]);
}

/** A ban that holds, and who made it: neither is known for a ban from a seed, nor after the event has left the audit trail. */
export interface FoundBan extends BannedSite {
  banned_by: string | null;
  request_id: string | null;
}

const findStatement = sql(
  'find_banned_site',
  `select site_domain, banned_at, request_id, coalesce(users.username, by_system_user, by_user_id::text) as banned_by
   from banned_sites
   -- the event has the time of its change; the first comparison chooses the partition, the second reads the index
   left join audit_events on happened_at = banned_at
     and happened_at at time zone 'UTC' = banned_at at time zone 'UTC'
     and event = 'site_banned'
     and detail = site_domain
   left join users on users.user_id = by_user_id
   where site_domain = any ($1)
   order by length(site_domain) desc`,
);

/** Finds the bans of those of these sites that are banned, the longest name first: a site and one above it can both be. */
export function findBans(database: Database, sites: readonly string[]): Promise<FoundBan[]> {
  return rows<FoundBan>(database, findStatement, [sites]);
}

const listStatement = sql(
  'list_banned_sites',
  `select site_domain, banned_at
   from banned_sites
   where site_domain > $1
   order by site_domain
   limit $2`,
);

export function listBannedSites(database: Database, after: string, limit: number): Promise<Page<BannedSite>> {
  return findPage<BannedSite>(database, listStatement, [after], limit, ({ site_domain }) => site_domain);
}
