import { countAttempt } from '../store/attempt-limits.ts';
import { findClient } from '../store/clients.ts';
import type { ClaimedMail } from '../store/mails.ts';
import { findUserCredentials } from '../store/passwords.ts';
import { isSignInName } from '../store/sign-ups.ts';
import { findLanguage, findUser, type User } from '../store/users.ts';
import type { MailKind, Notice, PreparedMail } from '../values/mail.ts';
import { isMailAddress } from '../values/mail-address.ts';
import { unprovedAddress } from './address-proof.ts';
import { audit } from './audit.ts';
import type { MailDeps, MailOrder } from './mail-queue.ts';
import { createLink, linkUrl, sinceOf } from './mailed-links.ts';
import { canBeOff } from './notices.ts';
import { createSignUpLink, renewInvitationLink } from './sign-up.ts';
import { isNameOfView } from './view-accounts.ts';

// What is found out about a mail when it is sent, and not in the request for it: who gets it, and the secret of its link.

type Order = Pick<MailOrder, 'language' | 'facts'> & Pick<ClaimedMail, 'user_id' | 'tries' | 'created_at'>;

/** Undefined if there is nobody to whom it can go. */
type Prepare = (deps: MailDeps, order: Order) => Promise<PreparedMail | undefined>;

const preparations: Record<MailKind, Prepare> = {
  forgotten: prepareReset,
  confirm_address: prepareProof,
  address_changing: prepareWarning,
  notice: prepareNotice,
  sign_up: prepareSignUp,
};

/** The next release may have queued others. */
export const isMailKind = (kind: string): kind is MailKind => Object.hasOwn(preparations, kind);

/** In the language of the request; without one, in that in which the person signed in last. */
export async function prepareMail(deps: MailDeps, kind: MailKind, order: Order): Promise<PreparedMail | undefined> {
  const { user_id } = order;
  const language = order.language || (user_id !== null && (await findLanguage(deps.database, user_id))) || 'en';
  return preparations[kind](deps, { ...order, language });
}

const commandOfMail = { request_id: 'mail', address: null };

/** Mails go to what an operator, a provider or a proof has confirmed, as it is stored, and never to what somebody has typed. */
function confirmedAddress({ email, email_verified }: User): string | undefined {
  return email !== null && email_verified && isMailAddress(email) ? email : undefined;
}

/** By one account in a quarter of an hour, and then less and less often: nobody can fill a mailbox. */
const limitOf = (user_id: number) => ({
  key: `forgotten password user ${user_id}`,
  free: 5,
  pause: 300,
  longest: 3600,
});

async function prepareReset(deps: MailDeps, { language, facts, tries }: Order): Promise<PreparedMail | undefined> {
  const { config, database } = deps;
  const { name = '', ...detail } = facts;
  const { user_id } = await findUserCredentials(database, name);
  const user = user_id === null ? undefined : await findUser(database, user_id);
  const to = user && confirmedAddress(user);
  if (!user || to === undefined) return undefined;
  if (tries === 1 && (await countAttempt(database, limitOf(user.user_id))) > 0) return undefined;
  const names = { username: user.username };
  if (!config.passwords || !user.has_password) return { to, language, subject: 'no_password', names };
  const token = await createLink(deps, { purpose: 'reset', user_id: user.user_id, detail });
  if (token === undefined) return undefined;
  await audit(deps, commandOfMail, { event: 'reset_link_sent', user_id: user.user_id });
  const link = { url: linkUrl(deps, 'reset', token, language), button: 'set_password' } as const;
  return { to, language, subject: 'reset', names, link };
}

/** To the address that waits for it; nothing that others have chosen is in it, since it may be anybody's. */
async function prepareProof(deps: MailDeps, { user_id, language, facts }: Order): Promise<PreparedMail | undefined> {
  const user = user_id === null ? undefined : await findUser(deps.database, user_id);
  const to = user && unprovedAddress(user);
  // it may have been withdrawn meanwhile
  if (!user || to === undefined || to !== facts['address'] || !isMailAddress(to)) return undefined;
  const token = await createLink(deps, { purpose: 'address', user_id: user.user_id, address: to });
  if (token === undefined) return undefined;
  const link = { url: linkUrl(deps, 'address', token, language), button: 'confirm' } as const;
  return { to, language, subject: 'confirm_address', names: {}, link };
}

/** To the confirmed address that is to be replaced, with a link that keeps it, or brings it back, unless an operator has replaced it. */
async function prepareWarning(
  deps: MailDeps,
  { user_id, language, facts, created_at }: Order,
): Promise<PreparedMail | undefined> {
  const { address: to = '' } = facts;
  const user = user_id === null ? undefined : await findUser(deps.database, user_id);
  if (!user || !isMailAddress(to)) return undefined;
  const names = { username: user.username };
  if (facts['by'] === 'operator') return { to, language, subject: 'address_replaced', names };
  const detail = { since: sinceOf(created_at), to };
  // undefined if an operator has replaced it meanwhile
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
  const { user_id, language, facts, tries, created_at } = order;
  const { client_id = '', from = '' } = facts;
  const notice = facts['notice'] as Notice;
  const user = user_id === null ? undefined : await findUser(deps.database, user_id);
  const to = user && confirmedAddress(user);
  if (!user || to === undefined || (canBeOff.has(notice) && !user.wants_notices)) return undefined;
  if (tries === 1 && (await countAttempt(deps.database, limitOfNotices(user.user_id, notice))) > 0) return undefined;
  const detail = { since: sinceOf(created_at), client_id, to };
  const token = await createLink(deps, { purpose: 'not_me', user_id: user.user_id, detail });
  if (token === undefined) return undefined;
  const client = client_id === '' ? undefined : await findClient(deps.database, client_id);
  const date = `${created_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const names = { username: user.username, date, address: from, client: client?.name ?? client_id };
  const link = { url: linkUrl(deps, 'not_me', token, language), button: 'not_me' } as const;
  return { to, language, subject: notice, names, link };
}

const limitOfSignUps = (address: string) => {
  return { key: `sign-up ${address.toLowerCase()}`, free: 5, pause: 300, longest: 3600 };
};

/** To an address that has no account yet; whoever has one is told so, and nobody else is. */
async function prepareSignUp(deps: MailDeps, { language, facts, tries }: Order): Promise<PreparedMail | undefined> {
  const { address: to = '', invited, ...detail } = facts;
  if (!isMailAddress(to)) return undefined;
  if (tries === 1 && (await countAttempt(deps.database, limitOfSignUps(to))) > 0) return undefined;
  if ((await isSignInName(deps.database, to)) || (await isNameOfView(deps, to))) {
    const link = { url: `${deps.config.issuer}/login`, button: 'sign_in' } as const;
    return { to, language, subject: 'account_exists', names: {}, link };
  }
  const is_invitation = invited !== undefined;
  const url = is_invitation
    ? await renewInvitationLink(deps, to, language)
    : await createSignUpLink(deps, { address: to, is_invitation: false, detail }, language);
  // withdrawn meanwhile
  if (url === undefined) return undefined;
  const subject = is_invitation ? 'invitation' : 'sign_up';
  return { to, language, subject, names: {}, link: { url, button: 'make_account' } };
}
