import type { Notice } from '../lib/mail.ts';
import { type MailDeps, sealOrder } from '../mail/mail-queue.ts';
import type { AuditEvent, AuditEventName, OperatorsTrace } from './audit.sql.ts';

interface Told {
  readonly notice: Notice;
  /** the mail if a command made the change */
  readonly by_operator?: Notice;
  /** whether a mail goes out only if the event says that it is new */
  readonly if_new?: true;
}

/**
 * The events of which the person is told by mail, each with a link to undo what somebody else did. The statement of the change
 * writes event and mail.
 */
export const told: Partial<Record<AuditEventName, Told>> = {
  password_changed: { notice: 'password_changed', by_operator: 'password_set' },
  password_reset: { notice: 'password_changed' },
  signed_in: { notice: 'new_browser', if_new: true },
  identity_linked: { notice: 'way_in_added' },
  passkey_added: { notice: 'way_in_added' },
  passkey_removed: { notice: 'factor_changed' },
  second_factor_added: { notice: 'factor_changed' },
  second_factor_removed: { notice: 'factor_changed', by_operator: 'factor_reset' },
  recovery_codes_renewed: { notice: 'factor_changed' },
  consent_given: { notice: 'application_allowed', if_new: true },
};

/** The mails that a person can do without. */
export const canBeOff: ReadonlySet<Notice> = new Set<Notice>(['application_allowed']);

/** Returns the mail that tells of an event, for the statement that makes the change; null if nobody is told. */
export function noticeOf(
  deps: Pick<MailDeps, 'config' | 'sessionSecrets'>,
  { address, by: administrator }: Pick<OperatorsTrace, 'address' | 'by'>,
  { event, user_id, client_id = '', is_new, device = '' }: AuditEvent,
  by: 'person' | 'operator' = administrator === undefined ? 'person' : 'operator',
): Buffer | null {
  const found = told[event];
  if (!found || user_id === undefined || (found.if_new && !is_new)) return null;
  const notice = (by === 'operator' && found.by_operator) || found.notice;
  const facts = { notice, client_id, from: address ?? '', device };
  return sealOrder(deps, { kind: 'notice', user_id, language: '', facts });
}
