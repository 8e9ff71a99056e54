import { type Database, rows, sql } from '../postgres/database.ts';

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
  | 'user_disabled'
  | 'user_enabled';

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
