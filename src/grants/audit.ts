import type { Deps } from '../deps.ts';
import { type AuditEvent, registerAuditEvent, type Trace } from '../store/audit.ts';

/** Writes an audit event to the database and to the log. */
export async function audit(deps: Deps, trace: Trace, event: AuditEvent): Promise<void> {
  logEvent(deps, trace, event);
  await registerAuditEvent(deps.database, event, trace);
}

/** Writes only the log line, for events whose row was written by the statement that changed the state. */
export function logEvent({ log }: Pick<Deps, 'log'>, trace: Trace, event: AuditEvent): void {
  log.info({ ...event, ...trace }, event.event);
}
