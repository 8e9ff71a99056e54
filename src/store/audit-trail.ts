import type { AuditEvent, AuditEventName } from './audit-events.ts';
import { type Database, rows, sql } from './database.ts';

export interface AuditRow extends AuditEvent {
  happened_at: Date;
  client_name: string | null;
  request_id: string;
  address: string | null;
}

const columns = `audit_events.happened_at, audit_events.event, audit_events.user_id, audit_events.client_id,
  audit_events.code_id, audit_events.request_id, audit_events.address, audit_events.detail, clients.name as client_name`;

const findEventsOfUserStatement = sql(
  'find_audit_events_of_user',
  `select ${columns}
   from audit_events
   left join clients on clients.client_id = audit_events.client_id
   where audit_events.user_id = $1
     and audit_events.event <> all ($2)
   order by audit_events.happened_at desc
   limit $3`,
);

export function findEventsOfUser(
  database: Database,
  user_id: number,
  except: readonly AuditEventName[],
  limit: number,
): Promise<AuditRow[]> {
  return rows<AuditRow>(database, findEventsOfUserStatement, [user_id, except, limit]);
}

const listEventsStatement = sql(
  'list_audit_events',
  `select ${columns}
   from audit_events
   left join clients on clients.client_id = audit_events.client_id
   order by audit_events.happened_at desc
   limit $1`,
);

export function listEvents(database: Database, limit: number): Promise<AuditRow[]> {
  return rows<AuditRow>(database, listEventsStatement, [limit]);
}
