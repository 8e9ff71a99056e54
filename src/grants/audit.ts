import type { Deps } from '../deps.ts';
import { type AuditEvent, registerAuditEvent, type Trace } from '../store/audit.ts';

/** One row that stays and one log line that says the same. */
export async function audit(deps: Deps, trace: Trace, event: AuditEvent): Promise<void> {
  logEvent(deps, trace, event);
  await registerAuditEvent(deps.database, event, trace);
}

/** For events whose row was written by the statement that made them happen. */
export function logEvent({ log }: Deps, trace: Trace, event: AuditEvent): void {
  log.info({ ...event, ...trace }, event.event);
}
