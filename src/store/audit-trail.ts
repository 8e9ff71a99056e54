import { type Database, rows, sql } from '../postgres/database.ts';
import type { AuditEvent, AuditEventName } from './audit-events.ts';
import { type Page, pageOf } from './pages.ts';

export interface AuditRow extends AuditEvent {
  happened_at: Date;
  client_name: string | null;
  request_id: string;
  address: string | null;
}

const columns = `audit_events.happened_at, audit_events.event, audit_events.user_id, audit_events.client_id,
  audit_events.code_id, audit_events.request_id, audit_events.address, audit_events.detail, clients.name as client_name`;

/** What the page of a person tells. Their index holds exactly these: for another one it has to be made anew. */
const eventsForPerson = [
  'signed_in',
  'sign_in_refused',
  'signed_out',
  'session_ended',
  'password_changed',
  'profile_changed',
  'consent_given',
  'consent_refused',
  'consent_changed',
  'consent_revoked',
  'refresh_token_reused',
  'code_reused',
  'token_leaked',
] as const satisfies AuditEventName[];

export type EventForPerson = (typeof eventsForPerson)[number];

/** A row's key is its time in microseconds, of which a Date would keep only the thousands. */
const findEventsOfUserStatement = sql(
  'find_audit_events_of_user',
  `select ${columns}, (extract(epoch from happened_at) * 1000000)::bigint as key
   from audit_events
   left join clients on clients.client_id = audit_events.client_id
   where audit_events.user_id = $1
     and audit_events.event in (${eventsForPerson.map((event) => `'${event}'`).join(', ')})
     and audit_events.happened_at < coalesce(to_timestamp(0) + $2::bigint * interval '1 microsecond', 'infinity')
   order by audit_events.happened_at desc
   limit $3`,
);

export type EventRow = AuditRow & { event: EventForPerson };

/** The latest first. */
export async function findEventsOfUser(
  database: Database,
  user_id: number,
  after: string | undefined,
  most: number,
): Promise<Page<EventRow>> {
  const key = /^\d{1,16}$/.test(after ?? '') ? after : null;
  const found = await rows<EventRow & { key: string }>(database, findEventsOfUserStatement, [user_id, key, most + 1]);
  return pageOf(found, most, (row) => row.key);
}

const listEventsStatement = sql(
  'list_audit_events',
  `select ${columns}
   from audit_events
   left join clients on clients.client_id = audit_events.client_id
   order by audit_events.happened_at at time zone 'UTC' desc
   limit $1`,
);

export function listEvents(database: Database, limit: number): Promise<AuditRow[]> {
  return rows<AuditRow>(database, listEventsStatement, [limit]);
}

const keepPartitionsStatement = sql('keep_audit_partitions', 'select keep_audit_partitions($1) as dropped');

/** Partitions for the months to come, and none for those that ended so many days ago; the names of the dropped ones. */
export async function keepAuditPartitions(database: Database, retention_days: number): Promise<string[]> {
  const [kept] = await rows<{ dropped: string[] }>(database, keepPartitionsStatement, [retention_days]);
  return kept?.dropped ?? [];
}
