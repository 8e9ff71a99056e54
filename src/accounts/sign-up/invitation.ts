import type { RecordedEvent } from '../../audit/audit.sql.ts';
import type { Config } from '../../config/config.ts';
import type { Deps } from '../../deps.ts';
import { orderMail } from '../../mail/mail-queue.ts';
import { createInvitationLink } from './sign-up.ts';
import { isSignInName } from './sign-ups.sql.ts';

/** Whether somebody who is invited can create an account. */
export const takesInvitations = ({ sign_up, passwords }: Pick<Config, 'sign_up' | 'passwords'>): boolean =>
  sign_up !== 'off' && passwords;

interface Invitation {
  address: string;
  /** The language of the mail. */
  language: string;
  /** Whether a mail brings the link. */
  isMailed: boolean;
}

/** Mails an invitation, or returns its link; undefined if somebody signs in with the address. */
export async function invitePerson(
  deps: Pick<Deps, 'config' | 'database' | 'sessionSecrets'>,
  { address, language, isMailed }: Invitation,
  recorded: RecordedEvent,
): Promise<{ url?: string | undefined } | undefined> {
  if (await isSignInName(deps.database, address)) return undefined;
  // the invitation is stored now, so that it can be withdrawn while the mail waits; the mail has a link of its own
  const url = await createInvitationLink(deps, { address, is_handed_over: !isMailed }, recorded);
  if (!isMailed) return { url };
  await orderMail(deps, { kind: 'invitation', language, facts: { address } });
  return {};
}
