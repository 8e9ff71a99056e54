import { audit } from '../../audit/audit.ts';
import { canBeOff } from '../../audit/notices.ts';
import { findClient } from '../../clients/clients.sql.ts';
import { countAttempt } from '../../identity/attempt-limits.sql.ts';
import { findUserCredentials } from '../../identity/passwords.sql.ts';
import { findLanguage, findUser, type User } from '../../identity/users.sql.ts';
import { isNameOfView } from '../../identity/view/view-accounts.ts';
import type { MailKind, Notice, PreparedMail } from '../../lib/mail.ts';
import { isMailAddress } from '../../lib/mail-address.ts';
import type { MailDeps, MailOrder } from '../../mail/mail-queue.ts';
import type { ClaimedMail } from '../../mail/mails.sql.ts';
import { unprovedAddress } from '../profile/address-proof.ts';
import { createSignUpLink, renewInvitationLink } from '../sign-up/sign-up.ts';
import { isSignInName } from '../sign-up/sign-ups.sql.ts';
import { createLink, linkUrl, sinceOf } from './mailed-links.ts';

// What is determined about a mail when it is sent, and not in the request for it: who gets it, and the secret of its
// link.

type Order = Pick<MailOrder, 'language' | 'facts'> & Pick<ClaimedMail, 'user_id' | 'tries' | 'created_at'>;

/** Prepares a mail of one kind; undefined if there is nobody to whom it can go. */
type Prepare = (deps: MailDeps, order: Order) => Promise<PreparedMail | undefined>;

const preparations: Record<MailKind, Prepare> = {
  forgotten: prepareForgotten,
  confirm_address: prepareProof,
  address_changing: prepareWarning,
  notice: prepareNotice,
  sign_up: prepareSignUp,
  reset_link: async (deps, order) => prepareReset(deps, order, await findPerson(deps, order)),
  invitation: prepareInvitation,
  address_replaced: prepareReplaced,
};

/** Whether this release knows the kind of a mail; the next release may have queued others. */
export const isMailKind = (kind: string): kind is MailKind => Object.hasOwn(preparations, kind);

/** Writes in the language of the request; without a request, in the language in which the person signed in last. */
export async function prepareMail(deps: MailDeps, kind: MailKind, order: Order): Promise<PreparedMail | undefined> {
  const { user_id } = order;
  const language = order.language || (user_id !== null && (await findLanguage(deps.database, user_id))) || 'en';
  return preparations[kind](deps, { ...order, language });
}

const commandOfMail = { request_id: 'mail', address: null };

/**
 * Returns the confirmed address: mails go to what an operator, a provider or a proof has confirmed, and never to what somebody has
 * typed.
 */
function confirmedAddress({ email, email_verified }: User): string | undefined {
  return email !== null && email_verified && isMailAddress(email) ? email : undefined;
}

const findPerson = async ({ database }: MailDeps, { user_id }: Pick<Order, 'user_id'>): Promise<User | undefined> =>
  user_id === null ? undefined : findUser(database, user_id);

/**
 * Whether anybody has had enough sent to the mailbox: five mails of all kinds in a quarter of an hour, and then less and less often. Where
 * there is an account, the last one can only be a link to a new password, which nobody keeps from its owner by ordering other mails.
 */
async function isTooMuch({ database }: MailDeps, to: string, { tries }: Order, isRecovery = false): Promise<boolean> {
  if (tries > 1) return false;
  const isFull = async (which: string, free: number) =>
    (await countAttempt(database, { key: `${which} to ${to.toLowerCase()}`, free, pause: 300, longest: 3600 })) > 0;
  if (!(await isFull('mails', (await isSignInName(database, to)) ? 4 : 5))) return false;
  return !isRecovery || isFull('new password', 1);
}

async function prepareForgotten(deps: MailDeps, order: Order): Promise<PreparedMail | undefined> {
  const { name = '', ...detail } = order.facts;
  const user = await findPerson(deps, await findUserCredentials(deps.database, name));
  const to = user && confirmedAddress(user);
  if (to === undefined || (await isTooMuch(deps, to, order, true))) return undefined;
  return prepareReset(deps, { ...order, facts: detail }, user);
}

async function prepareReset(
  deps: MailDeps,
  { language, facts: detail }: Order,
  user: User | undefined,
): Promise<PreparedMail | undefined> {
  const { config } = deps;
  const to = user && confirmedAddress(user);
  if (!user || to === undefined) return undefined;
  const names = { username: user.username };
  if (!config.passwords || !user.has_password) return { to, language, subject: 'no_password', names };
  const token = await createLink(deps, { purpose: 'reset', user_id: user.user_id, detail });
  if (token === undefined) return undefined;
  await audit(deps, commandOfMail, { event: 'reset_link_sent', user_id: user.user_id });
  const link = { url: linkUrl(deps, 'reset', token, language), button: 'set_password' } as const;
  return { to, language, subject: 'reset', names, link };
}

/**
 * The mail to the address that waits for its proof; nothing that others have chosen is in it, since the address may be anybody's.
 */
async function prepareProof(deps: MailDeps, order: Order): Promise<PreparedMail | undefined> {
  const { language, facts } = order;
  const user = await findPerson(deps, order);
  const to = user && unprovedAddress(user);
  // the address may have been withdrawn in the meantime
  if (!user || to === undefined || to !== facts['address'] || !isMailAddress(to)) return undefined;
  if (await isTooMuch(deps, to, order)) return undefined;
  const detail = { to: user.email };
  const token = await createLink(deps, { purpose: 'address', user_id: user.user_id, address: to, detail });
  if (token === undefined) return undefined;
  const link = { url: linkUrl(deps, 'address', token, language), button: 'confirm' } as const;
  return { to, language, subject: 'confirm_address', names: {}, link };
}

/** The mail to the confirmed address that an operator has replaced. */
async function prepareReplaced(deps: MailDeps, order: Order): Promise<PreparedMail | undefined> {
  const { address: to = '' } = order.facts;
  const user = await findPerson(deps, order);
  if (!user || !isMailAddress(to)) return undefined;
  return { to, language: order.language, subject: 'address_replaced', names: { username: user.username } };
}

/** The mail to the confirmed address that is to be replaced, with a link that keeps the address, or brings it back. */
async function prepareWarning(deps: MailDeps, order: Order): Promise<PreparedMail | undefined> {
  const { language, facts, created_at } = order;
  const { address: to = '' } = facts;
  const user = await findPerson(deps, order);
  if (!user || !isMailAddress(to)) return undefined;
  const names = { username: user.username };
  const detail = { since: sinceOf(created_at), to };
  // undefined if an operator has replaced the address in the meantime
  const token = await createLink(deps, { purpose: 'not_me', user_id: user.user_id, address: to, detail });
  if (token === undefined) return undefined;
  const link = { url: linkUrl(deps, 'not_me', token, language), button: 'not_me' } as const;
  return { to, language, subject: 'address_changing', names, link };
}

const limitOfNotices = (user_id: number, notice: string) => {
  return { key: `notice ${notice} user ${user_id}`, free: 10, pause: 300, longest: 3600 };
};

/** Says what happened, when and from where, with a link that ends it. */
async function prepareNotice(deps: MailDeps, order: Order): Promise<PreparedMail | undefined> {
  const { language, facts, tries, created_at } = order;
  const { client_id = '', from = '', device = '' } = facts;
  const notice = facts['notice'] as Notice;
  const user = await findPerson(deps, order);
  const to = user && confirmedAddress(user);
  if (!user || to === undefined || (canBeOff.has(notice) && !user.wants_notices)) return undefined;
  if (tries === 1 && (await countAttempt(deps.database, limitOfNotices(user.user_id, notice))) > 0) return undefined;
  const detail = { since: sinceOf(created_at), client_id, to };
  const token = await createLink(deps, { purpose: 'not_me', user_id: user.user_id, detail });
  if (token === undefined) return undefined;
  const client = client_id === '' ? undefined : await findClient(deps.database, client_id);
  const date = `${created_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const names = { username: user.username, date, address: from, device, client: client?.name ?? client_id };
  const link = { url: linkUrl(deps, 'not_me', token, language), button: 'not_me' } as const;
  return { to, language, subject: notice, names, link };
}

/** The mail to an address that has no account yet; whoever has an account is told so, and nobody else is. */
async function prepareSignUp(deps: MailDeps, order: Order): Promise<PreparedMail | undefined> {
  const { language, facts } = order;
  const { address: to = '', ...detail } = facts;
  if (!isMailAddress(to) || (await isTooMuch(deps, to, order))) return undefined;
  if (await hasAccount(deps, to)) return accountExists(deps, to, language);
  const url = await createSignUpLink(deps, { address: to, detail }, language);
  return { to, language, subject: 'sign_up', names: {}, link: { url, button: 'make_account' } };
}

async function prepareInvitation(deps: MailDeps, { language, facts }: Order): Promise<PreparedMail | undefined> {
  const { address: to = '' } = facts;
  if (!isMailAddress(to)) return undefined;
  if (await hasAccount(deps, to)) return accountExists(deps, to, language);
  const url = await renewInvitationLink(deps, to, language);
  // the invitation was withdrawn in the meantime
  if (url === undefined) return undefined;
  return { to, language, subject: 'invitation', names: {}, link: { url, button: 'make_account' } };
}

/** Whether an account here, or in the view of the operator, has the address. */
const hasAccount = async (deps: MailDeps, address: string): Promise<boolean> =>
  (await isSignInName(deps.database, address)) || (await isNameOfView(deps, address));

function accountExists({ config }: MailDeps, to: string, language: string): PreparedMail {
  const link = { url: `${config.issuer}/login`, button: 'sign_in' } as const;
  return { to, language, subject: 'account_exists', names: {}, link };
}
