import type { AuditEvent, AuditEventName, Trace } from '../store/audit.ts';
import type { Notice } from '../values/mail.ts';
import { type MailDeps, orderMail } from './mail-queue.ts';

interface Told {
  readonly notice: Notice;
  /** only where the event says that it is new */
  readonly if_new?: true;
}

/** Of which events the person is told by mail, each with a link by which they undo what was not them. */
const told: Partial<Record<AuditEventName, Told>> = {
  password_changed: { notice: 'password_changed' },
  password_reset: { notice: 'password_changed' },
  signed_in: { notice: 'new_browser', if_new: true },
  identity_linked: { notice: 'way_in_added' },
  passkey_added: { notice: 'way_in_added' },
  passkey_removed: { notice: 'factor_changed' },
  second_factor_added: { notice: 'factor_changed' },
  second_factor_removed: { notice: 'factor_changed' },
  recovery_codes_renewed: { notice: 'factor_changed' },
  consent_given: { notice: 'application_allowed', if_new: true },
};

/** Those that a person can do without. */
export const canBeOff: ReadonlySet<Notice> = new Set<Notice>(['application_allowed']);

/** After an event; whoever writes its row in another statement calls it, too. */
export async function orderNotice(
  deps: Omit<MailDeps, 'log'>,
  { address }: Pick<Trace, 'address'>,
  event: AuditEvent,
): Promise<void> {
  const found = told[event.event];
  const { user_id, client_id = '', is_new } = event;
  if (!found || user_id === undefined || (found.if_new && !is_new)) return;
  const facts = { notice: found.notice, client_id, from: address ?? '' };
  await orderMail(deps, { kind: 'notice', user_id, language: '', facts });
}
