import { type Database, sql } from '../postgres/database.ts';
import type { AuditEventName } from './audit.ts';
import { findWholeMoments, type Page } from './pagination.ts';

/** Which events somebody looks for; what is left out is not compared. */
export interface AuditFilter {
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

const at = `happened_at at time zone 'UTC'`;
const given = (column: string, type: string, at: number) => `($${at}::${type} is null or ${column} = $${at})`;
const timeOf = (microseconds: string) =>
  `(to_timestamp(0) + ${microseconds}::bigint * interval '1 microsecond') at time zone 'UTC'`;

/**
 * Each column has an index with the time; the plan is made for the values that are given. The key of a row is its time in microseconds.
 */
const findStatement = (name: string, table: 'audit_events' | 'audit_trail') =>
  sql(
    name,
    `select found.happened_at, found.event, found.user_id, people.username, found.client_id, clients.name as client_name, found.address,
     found.request_id, found.detail, found.by_user_id, administrators.username as by_username, found.by_system_user,
     (extract(epoch from found.happened_at) * 1000000)::bigint as key
   from (
     select happened_at, event, user_id, client_id, address, request_id, detail, by_user_id, by_system_user
     from ${table}
     where ${given('user_id', 'integer', 1)}
       and ${given('client_id', 'text', 2)}
       and ${given('event', 'text', 3)}
       and ${given('address', 'text', 4)}
       and ${given('request_id', 'text', 5)}
       and ${at} >= coalesce($6::timestamptz at time zone 'UTC', '-infinity')
       and ${at} <= coalesce($7::timestamptz at time zone 'UTC', 'infinity')
       and ${at} < coalesce(${timeOf('$8')}, 'infinity')
     order by ${at} desc
     fetch first ($9) rows with ties) found
   left join users people on people.user_id = found.user_id
   left join users administrators on administrators.user_id = found.by_user_id
   left join clients on clients.client_id = found.client_id
   order by found.happened_at desc`,
  );

const findEventsStatement = findStatement('find_events', 'audit_events');
const findAllEventsStatement = findStatement('find_all_events', 'audit_trail');

/** Issued and refreshed tokens are by far the most events, and have an index by time only. */
function hasRoutine({ since: _since, until: _until, ...columns }: AuditFilter): boolean {
  return Object.values(columns).every((value) => value === undefined);
}

/** Newest first. Without a filter but the time, the issued and refreshed tokens of the last weeks are among them. */
export async function findEvents(
  database: Database,
  filter: AuditFilter,
  after: string | undefined,
  limit: number,
): Promise<Page<FoundEvent>> {
  const { user_id, client_id, event, address, request_id, since, until } = filter;
  const columns = [user_id, client_id, event, address, request_id, since, until].map((value) => value ?? null);
  const key = /^\d{1,16}$/.test(after ?? '') ? after : null;
  const statement = hasRoutine(filter) ? findAllEventsStatement : findEventsStatement;
  const page = await findWholeMoments<FoundEvent & { key: string }>(database, statement, [...columns, key], limit);
  return { ...page, rows: page.rows.map(({ key: _, ...event }) => event) };
}
