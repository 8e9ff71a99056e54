import { type Database, rows, sql } from './database.ts';

/** Which request, from where: the thread from an event to the log. */
export interface Trace {
  request_id: string;
  address: string | null;
}

/** Everything worth remembering, in the past tense. Token issue and refresh are written by the statements that do it. */
export type AuditEventName =
  | 'signed_in'
  | 'sign_in_refused'
  | 'sign_in_delayed'
  | 'signed_out'
  | 'session_ended'
  | 'password_changed'
  | 'profile_changed'
  | 'consent_given'
  | 'consent_refused'
  | 'consent_changed'
  | 'consent_revoked'
  | 'redirect_uri_refused'
  | 'client_refused'
  | 'tokens_issued'
  | 'tokens_refreshed'
  | 'code_verifier_wrong'
  | 'code_reused'
  | 'refresh_token_reused'
  | 'token_revoked'
  | 'token_leaked'
  | 'client_registered'
  | 'client_changed'
  | 'client_disabled'
  | 'client_enabled'
  | 'client_deleted'
  | 'client_secret_added'
  | 'client_secret_deleted'
  | 'user_registered'
  | 'user_disabled';

export interface AuditEvent {
  event: AuditEventName;
  user_id?: number | undefined;
  client_id?: string | undefined;
  code_id?: string | undefined;
  /** never a secret: the table refuses one */
  detail?: string | undefined;
}

const registerEventStatement = sql(
  'register_audit_event',
  `insert into audit_events (event, user_id, client_id, code_id, detail, request_id, address)
   values ($1, $2, $3, $4, $5, $6, $7)`,
);

export async function registerAuditEvent(database: Database, event: AuditEvent, trace: Trace): Promise<void> {
  const { user_id, client_id, code_id, detail } = event;
  const who = [user_id ?? null, client_id ?? null, code_id ?? null, detail ?? null];
  await rows(database, registerEventStatement, [event.event, ...who, trace.request_id, trace.address]);
}

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

const findEventsOfClientsStatement = sql(
  'find_audit_events_of_clients',
  `select ${columns}
   from audit_events
   join clients on clients.client_id = audit_events.client_id
   where audit_events.client_id = any ($1)
     and ($2::text[] is null or audit_events.event = any ($2))
   order by audit_events.happened_at desc
   limit $3`,
);

export function findEventsOfClients(
  database: Database,
  client_ids: readonly string[],
  only: readonly AuditEventName[] | null,
  limit: number,
): Promise<AuditRow[]> {
  return rows<AuditRow>(database, findEventsOfClientsStatement, [client_ids, only, limit]);
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
