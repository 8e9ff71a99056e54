import { type Database, row, rows, sql } from '../postgres/database.ts';
import type { Page } from '../postgres/pagination.sql.ts';
import type { AuditEventName } from './audit.sql.ts';
import { compareEventKeys, eventKey, eventKeyValues, timeOfKey } from './event-key.sql.ts';

/**
 * Who caused an event: with both members, the events of either are found, since somebody may have an account and a shell by the
 * same name.
 */
export interface Doer {
  by_user_id?: number | undefined;
  by_system_user?: string | undefined;
}

/** The events that somebody looks for; members that are left out are not compared. */
export interface AuditFilter extends Doer {
  user_id?: number | undefined;
  client_id?: string | undefined;
  event?: string | undefined;
  /** events of any of these kinds; used instead of `event` */
  events?: readonly string[] | undefined;
  address?: string | undefined;
  request_id?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

export interface FoundEvent {
  /** leads to the events after this event */
  key: string;
  happened_at: Date;
  event: AuditEventName;
  user_id: number | null;
  /** null for a person who was deleted */
  username: string | null;
  client_id: string | null;
  client_name: string | null;
  /** whether the client is registered, and not deleted */
  has_client: boolean;
  address: string | null;
  request_id: string;
  detail: string | null;
  /** who did it, if that was not the person of the event */
  by_user_id: number | null;
  by_username: string | null;
  by_system_user: string | null;
}

const time = `happened_at at time zone 'UTC'`;

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

/**
 * Names the column that fits the fewest events: for each column it compares when the event happened that so many later events fit.
 */
const rarestStatement = sql(
  'find_rarest_column',
  `select name
   from (
     ${searched.map(hundredthOf).join('\n     union all\n     ')}) columns
   order by hundredth nulls first
   limit 1`,
);

/** Finds the rarest column, whose index is read, while the other columns are compared. */
async function findRarestColumn(database: Database, filter: AuditFilter): Promise<Searched | undefined> {
  const asked = searched.filter((column) => filter[column] !== undefined);
  if (asked.length < 2) return asked[0];
  const values = searched.map((column) => filter[column] ?? null);
  return (await row<{ name: Searched }>(database, rarestStatement, values))?.name;
}

/** How many events one statement compares, so that two columns that seldom fit together are no lever, and how often it looks for a page. */
const [compared, looks] = [300, 10];

const stored = `happened_at, event, user_id, client_id, address, request_id, tableoid::bigint as table_id, ctid as row_id`;
const auditEvents = `select ${stored}, detail, by_user_id, by_system_user from audit_events`;
const allEvents = `${auditEvents}
       union all
       select ${stored}, null, null, null from routine_events`;

const keyOf = (table: string) => eventKey(`${table}.happened_at`, `${table}.table_id`, `${table}.row_id`);

type Direction = 'newest first' | 'oldest first';
const orders = {
  'newest first': { along: 'desc', back: 'asc', isBeyond: '<', start: 'infinity' },
  'oldest first': { along: 'asc', back: 'desc', isBeyond: '>', start: '-infinity' },
} as const;

/**
 * Each column has an index with the time; the plan is made for the values that are given. Postgres reads the index and sorts only the
 * events of one moment. There is a row without an event if none fits, which says where to look on.
 */
function findStatement(name: string, events: string, direction: Direction) {
  const { along, back, isBeyond, start } = orders[direction];
  const by = (order: string) => `order by ${time} ${order}, table_id ${order}, row_id ${order}`;
  return sql(
    name,
    `with looked as materialized (
     select *
     from (
       ${events}) events
     where ${searched.map((column, index) => given(column, index + 1)).join('\n       and ')}
       and ${time} >= coalesce($8::timestamptz at time zone 'UTC', '-infinity')
       and ${time} <= coalesce($9::timestamptz at time zone 'UTC', 'infinity')
       and (${time}, table_id, row_id) ${isBeyond}
         (coalesce((${timeOfKey('$10')}) at time zone 'UTC', '${start}'), $11::bigint, $12::tid)
     ${by(along)}
     limit $13
   ), fitting as (
     select *
     from looked
     where ${searched.map((column, index) => given(column, index + 14)).join('\n       and ')}
     ${by(along)}
     limit $21
   )
   select found.happened_at, found.event, found.user_id, people.username, found.client_id, clients.name as client_name,
     clients.client_id is not null and clients.deleted_at is null as has_client, found.address, found.request_id, found.detail, found.by_user_id, administrators.username as by_username, found.by_system_user,
     ${keyOf('found')} as key, bounds.looked, bounds.looked_to
   from (
     select count(*)::integer as looked, (select ${keyOf('looked')} from looked ${by(back)} limit 1) as looked_to
     from looked) bounds
   left join fitting found on true
   left join users people on people.user_id = found.user_id
   left join users administrators on administrators.user_id = found.by_user_id
   left join clients on clients.client_id = found.client_id
   order by found.happened_at ${along}, found.table_id ${along}, found.row_id ${along}`,
  );
}

const findStatements = {
  'newest first': {
    some: findStatement('find_events', auditEvents, 'newest first'),
    all: findStatement('find_all_events', allEvents, 'newest first'),
  },
  'oldest first': {
    some: findStatement('find_events_forward', auditEvents, 'oldest first'),
    all: findStatement('find_all_events_forward', allEvents, 'oldest first'),
  },
};

type Find = (
  database: Database,
  filter: AuditFilter,
  after: string | undefined,
  limit: number,
) => Promise<Page<FoundEvent>>;

/**
 * Finds events, newest first. Without a filter but the time, the issued and refreshed tokens of the last weeks are among them: they are
 * by far the most events, and have an index by time only. A page has fewer events than its limit, and a next one, if these were hard to
 * find.
 */
export const findEvents: Find = (database, filter, after, limit) =>
  find(database, filter, { after, limit, direction: 'newest first' });

/** Finds events that a filter allows, from the oldest to the newest. */
export const findEventsForward: Find = (database, filter, after, limit) =>
  find(database, filter, { after, limit, direction: 'oldest first' });

const settledStatement = sql(
  'find_settled_time',
  `select greatest(now() - interval '10 minutes', least(now() - interval '10 seconds', min(xact_start))) as settled_until
   from pg_stat_activity
   where datname = current_database()
     and backend_xid is not null`,
);

/**
 * Returns the time up to which no event will be added: an event has the time at which its transaction began, and appears when that
 * commits. This is wrong for a transaction that takes more than ten minutes, that has written nothing in its first ten seconds, or whose
 * role is hidden from ours.
 */
export async function findSettledTime(database: Database): Promise<Date> {
  const settled = await row<{ settled_until: Date }>(database, settledStatement);
  return settled?.settled_until ?? new Date(0);
}

interface Wanted {
  after: string | undefined;
  limit: number;
  direction: Direction;
}

async function find(database: Database, filter: AuditFilter, wanted: Wanted): Promise<Page<FoundEvent>> {
  const filters = alternativesOf(filter);
  const pages = await Promise.all(filters.map((one) => findPage(database, one, wanted)));
  const [page] = pages;
  return page && pages.length === 1 ? page : merged(pages, wanted);
}

/** The filters that each find a part of the events: a statement compares one doer and one kind of event. */
function alternativesOf({ events, ...filter }: AuditFilter): AuditFilter[] {
  const { by_user_id, by_system_user } = filter;
  const isEither = by_user_id !== undefined && by_system_user !== undefined;
  const doers = isEither ? [{ by_system_user: undefined }, { by_user_id: undefined }] : [{}];
  const kinds = events?.map((event) => ({ event })) ?? [{}];
  return doers.flatMap((doer) => kinds.map((kind) => ({ ...filter, ...doer, ...kind })));
}

/** Merges pages: the events up to the earliest end of a page. */
function merged(pages: Page<FoundEvent>[], { limit, direction }: Wanted): Page<FoundEvent> {
  const inOrder = (one: string, other: string) =>
    direction === 'oldest first' ? compareEventKeys(one, other) : compareEventKeys(other, one);
  const events = new Map(pages.flatMap((page) => page.rows).map((event) => [event.key, event]));
  const found = [...events.values()].sort((one, other) => inOrder(one.key, other.key));
  const ends = pages.flatMap((page) => page.next ?? []);
  const last = found[limit - 1];
  if (last && found.length > limit) ends.push(last.key);
  const [end] = ends.sort(inOrder);
  return { rows: end === undefined ? found : found.filter(({ key }) => inOrder(key, end) <= 0), next: end };
}

async function findPage(
  database: Database,
  filter: AuditFilter,
  { after, limit, direction }: Wanted,
): Promise<Page<FoundEvent>> {
  const found: FoundEvent[] = [];
  const leading = await findRarestColumn(database, filter);
  let next = after;
  for (let look = 0; look < looks; look += 1) {
    const wanted = { after: next, limit: limit - found.length, direction };
    const page = await findOnce(database, { filter, leading, ...wanted });
    found.push(...page.rows);
    next = page.next;
    if (next === undefined || found.length >= limit) break;
  }
  return { rows: found, next };
}

interface Look extends Wanted {
  filter: AuditFilter;
  leading: Searched | undefined;
}

/** Runs one statement of a page. */
async function findOnce(database: Database, look: Look): Promise<Page<FoundEvent>> {
  const { filter, leading, after, limit, direction } = look;
  const read = searched.map((column) => (column === leading ? filter[column] : null));
  const compares = searched.map((column) => (column === leading ? null : (filter[column] ?? null)));
  const most = compares.every((value) => value === null) ? limit : Math.max(compared, limit);
  const times = [filter.since ?? null, filter.until ?? null];
  const values = [...read, ...times, ...eventKeyValues(after), most, ...compares, limit];
  const statement = findStatements[direction][leading === undefined ? 'all' : 'some'];
  const found = await rows<FoundEvent & { looked: number; looked_to: string }>(database, statement, values);
  const events = found.filter(({ key }) => key !== '').map(({ looked: _looked, looked_to: _to, ...event }) => event);
  const [{ looked = 0, looked_to = undefined } = {}] = found;
  return { rows: events, next: events.length >= limit ? events.at(-1)?.key : looked >= most ? looked_to : undefined };
}
