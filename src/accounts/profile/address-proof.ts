import { countAttempt } from '../../identity/attempt-limits.sql.ts';
import type { User } from '../../identity/users.sql.ts';
import { type MailDeps, orderMail, sendsMail } from '../../mail/mail-queue.ts';

// An address that a person enters counts when a mail to it was answered; until then the confirmed one stays.

type Addresses = Pick<User, 'email' | 'email_verified' | 'pending_email' | 'kept_elsewhere'>;

/**
 * Returns the address that a mail could prove: the pending address, or the only one, if nobody has confirmed it. Undefined if it is kept
 * elsewhere.
 */
export function unprovedAddress({
  email,
  email_verified,
  pending_email,
  kept_elsewhere,
}: Addresses): string | undefined {
  if (kept_elsewhere.includes('email')) return undefined;
  return pending_email ?? (email_verified ? undefined : (email ?? undefined));
}

/** Limits proofs, so that nobody fills the mailbox of somebody else, from one account or from several; returns the seconds to wait. */
export async function limitProofs({ config, database }: MailDeps, user_id: number, address: string): Promise<number> {
  if (!sendsMail(config)) return 0;
  const limits = [`user ${user_id}`, address.toLowerCase()].map((whose) => {
    return { key: `proof of an address ${whose}`, free: 5, pause: 300, longest: 3600 };
  });
  return countAttempt(database, ...limits);
}

/**
 * Queues the mail to the unproved address, which is returned; undefined if there is none. The confirmed address is told first: however
 * the proof ends, the confirmed address is not replaced before its owner can read of that.
 */
export async function orderProof(deps: MailDeps, user: User, language: string): Promise<string | undefined> {
  const { user_id, email, email_verified } = user;
  const address = unprovedAddress(user);
  if (address === undefined || !sendsMail(deps.config)) return undefined;
  if (email !== null && email_verified)
    await orderMail(deps, { kind: 'address_changing', user_id, language, facts: { address: email } });
  await orderMail(deps, { kind: 'confirm_address', user_id, language, facts: { address } });
  return address;
}
