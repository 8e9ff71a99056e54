import { createHmac } from 'node:crypto';
import type { OperatorsTrace, RecordedEvent } from '../../audit/audit.sql.ts';
import type { Deps } from '../../deps.ts';
import { createSecret, digestOf, isSecret } from '../../lib/secrets.ts';
import { type MailDeps, sealOrder } from '../../mail/mail-queue.ts';
import {
  findLink,
  issueLink,
  issueLinkByOperator,
  type LinkPurpose,
  type MailedLink,
  queueResetLink,
} from './mailed-links.sql.ts';

/** The pages to which links lead. */
export const linkPaths = {
  reset: '/reset-password',
  address: '/account/confirm-address',
  not_me: '/not-me',
} as const satisfies Record<LinkPurpose, string>;

/** Seconds for which links are valid. */
export const validFor: Record<LinkPurpose, number> = { reset: 3600, address: 86_400, not_me: 7 * 86_400 };

/** The time since which changes belong to a mail or an event: a minute before it. */
export const sinceOf = (at: Date): string => new Date(at.getTime() - 60_000).toISOString();

/** The time since which the link undoes changes. */
export const startOf = ({ detail, created_at }: MailedLink): string => detail['since'] ?? created_at.toISOString();

/** When what the mail with this link told of happened. */
export const toldAt = ({ detail, created_at }: MailedLink): Date =>
  detail['since'] === undefined ? created_at : new Date(Date.parse(detail['since']) + 60_000);

interface LinkOrder {
  purpose: LinkPurpose;
  user_id: number;
  address?: string;
  detail?: object;
  /** the time for which the link is valid, if it is not the usual one, in seconds */
  valid_for?: number;
}

/**
 * Makes a link and returns its secret; undefined if it cannot be made any more. Its address is that of the configuration, whatever a
 * request says.
 */
export async function createLink({ database }: Pick<Deps, 'database'>, order: LinkOrder): Promise<string | undefined> {
  const { purpose, user_id, address = null, detail = {}, valid_for = validFor[purpose] } = order;
  const token = createSecret('mailed_link');
  const link = { token_sha256: digestOf(token), purpose, user_id, address, detail, valid_for };
  return (await issueLink(database, link)) ? token : undefined;
}

/** Seconds for which a link is valid that an operator hands over. */
const validForHandedOver = 86_400;

/**
 * Makes a link to a new password that an operator hands over, and returns its secret: it ends all others, and no change by a holder of
 * the account ends it. Undefined if the account is disabled.
 */
export async function createLinkByOperator(
  { database }: Pick<Deps, 'database'>,
  user_id: number,
  recorded: RecordedEvent,
): Promise<string | undefined> {
  const token = createSecret('mailed_link');
  const link = { token_sha256: digestOf(token), user_id, valid_for: validForHandedOver };
  return (await issueLinkByOperator(database, link, recorded)) ? token : undefined;
}

/** The secret of the link to a new password to which the link of a notice leads: the same however often it is sent. */
export const nextOf = (token: string): string =>
  createSecret('mailed_link', createHmac('sha256', token).update('a new password').digest());

export function linkUrl(
  { config }: Pick<Deps, 'config'>,
  purpose: LinkPurpose,
  token: string,
  language?: string,
): string {
  const query = new URLSearchParams({ token, ...(language && { ui_locales: language }) });
  return `${config.issuer}${linkPaths[purpose]}?${query}`;
}

/** Returns what the link is for; undefined if it is over, used, or unknown, or if it would set a password where nobody has one. */
export async function openLink(
  { config, database }: Pick<Deps, 'config' | 'database'>,
  purpose: LinkPurpose,
  token: string,
): Promise<MailedLink | undefined> {
  if (purpose === 'reset' && !config.passwords) return undefined;
  return isSecret('mailed_link', token) ? findLink(database, digestOf(token), purpose) : undefined;
}

/**
 * Orders the link to a new password, which is good for an hour, in the language of the person. False where no mail goes out, and
 * for a person with no confirmed address or no password, who is disabled or signs in elsewhere.
 */
export async function orderResetLink(
  deps: Omit<MailDeps, 'log'>,
  user_id: number,
  trace: OperatorsTrace,
): Promise<boolean> {
  const facts = { dialect: 'rfc', query: '', browser: '' };
  const sealed = sealOrder(deps, { kind: 'reset_link', user_id, language: '', facts });
  return sealed !== null && queueResetLink(deps.database, { user_id, sealed }, trace);
}
