import type { Config } from '../config/config.ts';
import type { Deps } from '../deps.ts';
import type { MailKind, WrittenMail } from '../lib/mail.ts';
import { seal, unseal } from '../lib/sealing.ts';
import { type ClaimedMail, queueMail } from './mails.sql.ts';

// A request only puts a row into the queue: nobody waits for the mail server, and no answer shows by its time how the mail server
// does.

export type MailDeps = Pick<Deps, 'config' | 'database' | 'log' | 'sessionSecrets'>;

/** Whether mails go out. The demo shows its mails on a page. */
export const sendsMail = ({ smtp, shows_mails }: Pick<Config, 'smtp' | 'shows_mails'>): boolean =>
  smtp !== undefined || shows_mails;

/** What is known when a mail is asked for; never the secret of a link. */
export interface MailOrder {
  kind: MailKind;
  user_id?: number;
  language: string;
  facts: Readonly<Record<string, string>>;
}

type Content = Pick<MailOrder, 'language' | 'facts'>;

/** Binds a sealed row to its kind of mail and its person, so that it cannot become another mail. */
const purposeOf = (kind: string, user_id: number | null) => JSON.stringify(['mail', kind, user_id]);

/** Null where no mail goes out. */
export function sealOrder(
  { config, sessionSecrets }: Pick<MailDeps, 'config' | 'sessionSecrets'>,
  { kind, user_id, language, facts }: MailOrder,
): Buffer | null {
  if (!sendsMail(config)) return null;
  const content: Content = { language, facts };
  return seal(sessionSecrets[0] ?? '', purposeOf(kind, user_id ?? null), Buffer.from(JSON.stringify(content)));
}

export async function orderMail(deps: Omit<MailDeps, 'log'>, order: MailOrder): Promise<void> {
  const sealed = sealOrder(deps, order);
  const { kind, user_id } = order;
  if (sealed) await queueMail(deps.database, { kind, user_id: user_id ?? null, sealed });
}

/** Opens an order; undefined if it was sealed with a secret that this instance does not have. */
export function openOrder(
  { sessionSecrets }: Pick<Deps, 'sessionSecrets'>,
  { kind, user_id, sealed }: ClaimedMail,
): Content | undefined {
  const content = unseal(sessionSecrets, purposeOf(kind, user_id), sealed);
  return content && (JSON.parse(content.toString()) as Content);
}

const purposeOfCopy = 'copy of a mail';

/** Seals a mail of the demo, which a page shows. */
export function sealCopy({ sessionSecrets }: Pick<Deps, 'sessionSecrets'>, mail: WrittenMail): Buffer {
  return seal(sessionSecrets[0] ?? '', purposeOfCopy, Buffer.from(JSON.stringify(mail)));
}

export function openCopy({ sessionSecrets }: Pick<Deps, 'sessionSecrets'>, copy: Buffer): WrittenMail | undefined {
  const content = unseal(sessionSecrets, purposeOfCopy, copy);
  return content && (JSON.parse(content.toString()) as WrittenMail);
}
