import { type Database, row, rows, sql } from '../postgres/database.ts';
import type { AuditEventName } from './audit.ts';
import type { Page } from './pagination.ts';

/** Who did it: with both, the events of either are found, since somebody may have an account and a shell by the same name. */
export interface Doer {
  by_user_id?: number | undefined;
  by_system_user?: string | undefined;
}

/** Which events somebody looks for; what is left out is not compared. */
export interface AuditFilter extends Doer {
  user_id?: number | undefined;
  client_id?: string | undefined;
  event?: string | undefined;
  address?: string | undefined;
  request_id?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

export interface FoundEvent {
  happened_at: Date;
  event: AuditEventName;
  user_id: number | null;
  /** null for a person who was deleted */
  username: string | null;
  client_id: string | null;
  client_name: string | null;
  address: string | null;
  request_id: string;
  detail: string | null;
  /** who did it, if that was not the person of the event */
  by_user_id: number | null;
  by_username: string | null;
  by_system_user: string | null;
}

const time = `happened_at at time zone 'UTC'`;
const timeOf = (microseconds: string) =>
  `(to_timestamp(0) + ${microseconds}::bigint * interval '1 microsecond') at time zone 'UTC'`;

const searched = ['request_id', 'user_id', 'by_user_id', 'by_system_user', 'address', 'client_id', 'event'] as const;
type Searched = (typeof searched)[number];
const typeOf = (column: Searched) => (column.endsWith('user_id') ? 'integer' : 'text');

const given = (column: Searched, at: number) => `($${at}::${typeOf(column)} is null or ${column} = $${at})`;

const hundredthOf = (column: Searched, index: number) => `select '${column}' as name, (
       select happened_at
       from audit_events
       where ${column} = $${index + 1}::${typeOf(column)}
       order by ${time} desc
       offset 100
       limit 1) as hundredth
     where $${index + 1} is not null`;

/** Of each column, when the event happened that so many later ones fit: the longest ago for the column that fits the fewest. */
const rarestStatement = sql(
  'find_rarest_column',
  `select name
   from (
     ${searched.map(hundredthOf).join('\n     union all\n     ')}) columns
   order by hundredth nulls first
   limit 1`,
);

/** Its index is read, and the other columns are compared. */
async function findRarestColumn(database: Database, filter: AuditFilter): Promise<Searched | undefined> {
  const asked = searched.filter((column) => filter[column] !== undefined);
  if (asked.length < 2) return asked[0];
  const values = searched.map((column) => filter[column] ?? null);
  return (await row<{ name: Searched }>(database, rarestStatement, values))?.name;
}

/** Events that one statement compares, so that two columns that seldom fit together are no lever, and how often it looks for a page. */
const [compared, looks] = [300, 10];

/**
 * Each column has an index with the time; the plan is made for the values that are given. The key of a row is its time in microseconds,
 * and a page ends only where the time changes: so of events of one moment none is lost between two pages. There is a row without an event
 * if none fits, which says where to look on.
 */
const findStatement = (name: string, table: 'audit_events' | 'audit_trail') =>
  sql(
    name,
    `with looked as materialized (
     select happened_at, event, user_id, client_id, address, request_id, detail, by_user_id, by_system_user
     from ${table}
     where ${searched.map((column, index) => given(column, index + 1)).join('\n       and ')}
       and ${time} >= coalesce($8::timestamptz at time zone 'UTC', '-infinity')
       and ${time} <= coalesce($9::timestamptz at time zone 'UTC', 'infinity')
       and ${time} < coalesce(${timeOf('$10')}, 'infinity')
     order by ${time} desc
     fetch first ($11) rows with ties
   ), fitting as (
     select *
     from looked
     where ${searched.map((column, index) => given(column, index + 12)).join('\n       and ')}
     order by happened_at desc
     fetch first ($19) rows with ties
   )
   select found.happened_at, found.event, found.user_id, people.username, found.client_id, clients.name as client_name, found.address,
     found.request_id, found.detail, found.by_user_id, administrators.username as by_username, found.by_system_user,
     (extract(epoch from found.happened_at) * 1000000)::bigint as key,
     bounds.looked, (extract(epoch from bounds.oldest) * 1000000)::bigint as looked_to
   from (select count(*)::integer as looked, min(happened_at) as oldest from looked) bounds
   left join fitting found on true
   left join users people on people.user_id = found.user_id
   left join users administrators on administrators.user_id = found.by_user_id
   left join clients on clients.client_id = found.client_id
   order by found.happened_at desc`,
  );

const findEventsStatement = findStatement('find_events', 'audit_events');
const findAllEventsStatement = findStatement('find_all_events', 'audit_trail');

/**
 * Newest first. Without a filter but the time, the issued and refreshed tokens of the last weeks are among them: they are by far the most
 * events, and have an index by time only. A page has fewer events than its limit, and a next one, if these were hard to find.
 */
export async function findEvents(
  database: Database,
  filter: AuditFilter,
  after: string | undefined,
  limit: number,
): Promise<Page<FoundEvent>> {
  const { by_user_id, by_system_user } = filter;
  const areTwo = by_user_id !== undefined && by_system_user !== undefined;
  const filters = areTwo
    ? [
        { ...filter, by_user_id: undefined },
        { ...filter, by_system_user: undefined },
      ]
    : [filter];
  const pages = await Promise.all(filters.map((one) => findPage(database, one, after, limit)));
  const { rows: found, next } = pages.length === 1 && pages[0] ? pages[0] : merged(pages, limit);
  return { rows: found.map(({ key: _, ...event }) => event), next };
}

type KeyedEvent = FoundEvent & { key: string };

/** Of pages of different events: what lies after the end of none of them, down to where the time changes. */
function merged(pages: Page<KeyedEvent>[], limit: number): Page<KeyedEvent> {
  const found = pages.flatMap((page) => page.rows).sort((one, other) => Number(other.key) - Number(one.key));
  const ends = pages.flatMap((page) => page.next ?? []);
  if (found.length > limit) ends.push(found[limit - 1]?.key ?? '');
  if (ends.length === 0) return { rows: found, next: undefined };
  const end = Math.max(...ends.map(Number));
  return { rows: found.filter(({ key }) => Number(key) >= end), next: String(end) };
}

async function findPage(
  database: Database,
  filter: AuditFilter,
  after: string | undefined,
  limit: number,
): Promise<Page<KeyedEvent>> {
  const found: KeyedEvent[] = [];
  const leading = await findRarestColumn(database, filter);
  let next = after;
  for (let look = 0; look < looks; look += 1) {
    const page = await findOnce(database, { filter, leading, after: next, limit: limit - found.length });
    found.push(...page.rows);
    next = page.next;
    if (next === undefined || found.length >= limit) break;
  }
  return { rows: found, next };
}

interface Look {
  filter: AuditFilter;
  leading: Searched | undefined;
  after: string | undefined;
  limit: number;
}

/** One statement of a page. */
async function findOnce(database: Database, { filter, leading, after, limit }: Look): Promise<Page<KeyedEvent>> {
  const read = searched.map((column) => (column === leading ? filter[column] : null));
  const compares = searched.map((column) => (column === leading ? null : (filter[column] ?? null)));
  const key = /^\d{1,16}$/.test(after ?? '') ? after : null;
  const most = compares.every((value) => value === null) ? limit : Math.max(compared, limit);
  const values = [...read, filter.since ?? null, filter.until ?? null, key, most, ...compares, limit];
  type Found = FoundEvent & { key: string | null; looked: number; looked_to: string | null };
  const isEvent = (event: Found): event is Found & KeyedEvent => event.key !== null;
  const statement = leading === undefined ? findAllEventsStatement : findEventsStatement;
  const found = await rows<Found>(database, statement, values);
  const events = found.filter(isEvent);
  const [{ looked = 0, looked_to = null } = {}] = found;
  return {
    rows: events.map(({ looked: _looked, looked_to: _to, ...event }) => event),
    next: (events.length >= limit ? events.at(-1)?.key : looked >= most ? looked_to : null) ?? undefined,
  };
}
