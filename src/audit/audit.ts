import type { Deps } from '../deps.ts';
import type { MailDeps } from '../mail/mail-queue.ts';
import { counter } from '../telemetry/metric.ts';
import {
  type AuditEvent,
  type AuditEventName,
  type OperatorsTrace,
  type RecordedEvent,
  registerAuditEvent,
  type ToldTrace,
} from './audit.sql.ts';
import { countIssuedTokens } from './issued-tokens.ts';
import { noticeOf } from './notices.ts';

/** Events on which alerts are based: their counters begin at 0. */
const expected: AuditEventName[] = [
  'tokens_issued',
  'tokens_refreshed',
  'code_reused',
  'refresh_token_reused',
  'token_leaked',
  'signed_in',
];
/** The reason is the part of the detail before its colon; while nothing is compared, no event is written. */
export const refusedSignIns = counter('latchkey_refused_sign_ins_total', 'Refused sign-ins, by reason.', {
  reason: ['wrong password', 'unknown name', 'too many attempts'],
});
const events = counter('latchkey_events_total', 'Events of the audit trail.', { event: expected });

/** Writes an audit event, of which nobody is told by mail, to the database and to the log. */
export async function audit(
  deps: Pick<Deps, 'database' | 'log'>,
  trace: OperatorsTrace,
  event: AuditEvent,
): Promise<void> {
  logEvent(deps, trace, event);
  await registerAuditEvent(deps.database, event, trace);
}

/**
 * Makes a change whose statement writes the event and queues the mail that tells of it. Nothing is logged if nothing was changed.
 */
export async function recordChange<Changed>(
  deps: Omit<MailDeps, 'database'>,
  trace: OperatorsTrace,
  event: AuditEvent,
  change: (told: ToldTrace) => Promise<Changed>,
): Promise<Changed> {
  const changed = await change({ ...trace, notice: noticeOf(deps, trace, event) });
  if (changed) logEvent(deps, trace, event);
  return changed;
}

/** Logs an act whose statement writes the event, and of which nobody is told by mail. Nothing is logged if nothing was changed. */
export async function recordAct<Done>(
  deps: Pick<Deps, 'log'>,
  trace: OperatorsTrace,
  event: AuditEvent,
  change: (recorded: RecordedEvent) => Promise<Done>,
): Promise<Done> {
  const done = await change({ ...trace, ...event });
  if (done) logEvent(deps, trace, event);
  return done;
}

/** Logs a registration whose statement has written the event; nothing is logged if the registration was refused, or is the same as before. */
export async function recordRegistration<Outcome extends { isChanged: boolean }>(
  deps: Pick<Deps, 'log'>,
  recorded: RecordedEvent,
  register: () => Promise<Outcome>,
): Promise<Outcome> {
  const outcome = await register();
  if (outcome.isChanged) logEvent(deps, recorded, recorded);
  return outcome;
}

/** Writes only the log line, for events whose row was written by the statement that changed the state. */
export function logEvent({ log }: Pick<Deps, 'log'>, trace: OperatorsTrace, event: AuditEvent): void {
  events.add(event.event);
  const issues = event.event === 'tokens_issued' || event.event === 'tokens_refreshed';
  if (issues && event.client_id !== undefined) countIssuedTokens(log, event.client_id);
  if (event.event === 'sign_in_refused') refusedSignIns.add(event.detail?.split(':')[0] ?? '');
  log.info({ ...event, ...trace, by: undefined, by_user_id: trace.by?.user_id }, event.event);
}
