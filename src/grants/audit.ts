import type { Deps } from '../deps.ts';
import { type AuditEvent, type AuditEventName, type OperatorsTrace, registerAuditEvent } from '../store/audit.ts';
import { counter } from '../telemetry/metric.ts';
import type { MailDeps } from './mail-queue.ts';
import { orderNotice } from './notices.ts';

/** Those of which alerts are made begin at 0. */
const expected: AuditEventName[] = [
  'tokens_issued',
  'tokens_refreshed',
  'code_reused',
  'refresh_token_reused',
  'token_leaked',
  'signed_in',
];
const events = counter('latchkey_events_total', 'Events of the audit trail.', { event: expected });

/** Writes an audit event to the database and to the log, and puts a mail into the queue if the person is told of it. */
export async function audit(deps: MailDeps, trace: OperatorsTrace, event: AuditEvent): Promise<void> {
  logEvent(deps, trace, event);
  await registerAuditEvent(deps.database, event, trace);
  await orderNotice(deps, trace, event, trace.by_user_id === undefined ? 'person' : 'operator');
}

/** The same for events whose row was written by the statement that changed the state. */
export async function announce(deps: MailDeps, trace: OperatorsTrace, event: AuditEvent): Promise<void> {
  logEvent(deps, trace, event);
  await orderNotice(deps, trace, event, trace.by_user_id === undefined ? 'person' : 'operator');
}

/** Writes only the log line, for events whose row was written by the statement that changed the state. */
export function logEvent({ log }: Pick<Deps, 'log'>, trace: OperatorsTrace, event: AuditEvent): void {
  events.add(event.event);
  log.info({ ...event, ...trace }, event.event);
}
