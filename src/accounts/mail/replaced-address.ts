import type { RecordedEvent } from '../../audit/audit.sql.ts';
import type { User } from '../../identity/users.sql.ts';
import { type MailDeps, sealOrder } from '../../mail/mail-queue.ts';
import { type AccountChange, changeAccount } from '../administered-users.sql.ts';

/**
 * Changes a person for an operator. The same statement queues a mail to a confirmed address that is replaced. That mail has no link that
 * brings the address back: the mailbox may be why the operator was asked for another address.
 */
export function changeByOperator(
  deps: Pick<MailDeps, 'config' | 'database' | 'sessionSecrets'>,
  { user_id, email: former, email_verified }: User,
  change: Omit<AccountChange, 'user_id' | 'sealed_mail'>,
  recorded: RecordedEvent,
): Promise<boolean> {
  const email = change.email ?? undefined;
  const isReplaced = former !== null && email_verified && email !== undefined && email !== former;
  const mail = { kind: 'address_replaced', user_id, language: '', facts: { address: former ?? '' } } as const;
  const sealed_mail = isReplaced ? sealOrder(deps, mail) : null;
  return changeAccount(deps.database, { ...change, user_id, sealed_mail }, recorded);
}
