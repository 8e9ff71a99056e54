import type { Config } from '../config/config.ts';
import { isLoopback } from '../config/values.ts';
import { atFirstUse } from '../lib/at-first-use.ts';
import type { WrittenMail } from '../lib/mail.ts';
import { isMailAddress } from '../lib/mail-address.ts';

const nodemailer = atFirstUse<typeof import('nodemailer')>('nodemailer');
/** Milliseconds for the whole conversation, however slowly the server answers; shorter than the lease of a mail. */
const longestTry = 40_000;
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, dnsTimeout: 10_000, socketTimeout: 20_000 };

/** Says why the mail server did not take a mail. */
export class MailError extends Error {
  /** a code, and the number of the answer: nothing that the server may have copied from the mail */
  readonly summary: string;
  /** whether the mailbox does not exist */
  readonly isFinal: boolean;

  constructor(error: { code?: string; responseCode?: number; message: string }) {
    super(error.message);
    const { code = 'EUNKNOWN', responseCode } = error;
    this.summary = [code, responseCode].filter((part) => part !== undefined).join(' ');
    this.isFinal = code === 'EENVELOPE' && [550, 551, 553].includes(responseCode ?? 0);
  }
}

type MailConfig = Pick<Config, 'issuer' | 'brand'> & { smtp: NonNullable<Config['smtp']> };

/** Hands the mail over, and returns what the server said. On loopback the connection needs no TLS: nobody else can listen. */
export async function sendBySmtp({ issuer, brand, smtp }: MailConfig, mail: WrittenMail): Promise<string> {
  const { host, port, secure, auth, from } = smtp;
  // The address is judged here, too: nodemailer would parse what it gets.
  if (!isMailAddress(mail.to)) throw new MailError({ code: 'EADDRESS', message: 'no mail can go to this address' });
  const [requireTLS, ignoreTLS] = [!secure && !isLoopback(host), !secure && isLoopback(host)];
  const transport = nodemailer().createTransport({
    ...{ host, port, secure, requireTLS, ignoreTLS, ...patience },
    ...(auth && { auth }),
    name: new URL(issuer).hostname,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { subject, text, html, to } = mail;
  const message = {
    from: { name: from.name ?? brand.name, address: from.address },
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...{ subject, text, html },
  };
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const late = { code: 'ETIMEDOUT', message: `the mail server did not take it within ${longestTry / 1000} s` };
    timer = setTimeout(() => reject(late), longestTry);
  });
  try {
    return (await Promise.race([transport.sendMail(message), timeout])).response;
  } catch (error) {
    throw new MailError(error as Error);
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}
