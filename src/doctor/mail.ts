import type { Config } from '../config/config.ts';
import { type Finding, finding } from '../lib/finding.ts';
import { isMailAddress } from '../lib/mail-address.ts';
import { writeMail } from '../mail/mail.ts';
import { sendsMail } from '../mail/mail-queue.ts';
import type { MailQueue } from '../mail/mails.sql.ts';
import { MailError, sendBySmtp } from '../mail/smtp.ts';

/** Seconds after which a mail is late: some tries have failed by then. */
const late = 900;

/** Minutes, or hours if that is more than two. */
function age(seconds: number): string {
  return seconds > 7200 ? `${Math.round(seconds / 3600)} hours` : `${Math.floor(seconds / 60)} minutes`;
}

/** Whether what is in the queue goes out. */
export function mailFindings(config: Config, { waiting, oldest_seconds, given_up, problem }: MailQueue): Finding[] {
  const found: Finding[] = [];
  if (waiting > 0 && oldest_seconds > late) {
    const what = sendsMail(config)
      ? 'emails are not being delivered; the server retries each one for a day'
      : 'emails are waiting that this server does not send, because it has no SMTP_URL';
    const emails = waiting === 1 ? '1 email is' : `${waiting} emails are`;
    const value = `${emails} waiting, the oldest for ${age(oldest_seconds)}: ${problem ?? 'no try has failed'}`;
    const first = sendsMail(config) ? 'correct SMTP_URL or the mail server' : 'set SMTP_URL';
    const change = `${first}, restart the server processes, then test: latchkey doctor --mail ADDRESS`;
    found.push(finding('warning', 'mail_waiting', { what, value, change }));
  }
  if (given_up > 0) {
    const what = 'emails were given up in the last week, because the mail server did not accept them';
    const value = `${given_up} emails`;
    found.push(
      finding('note', 'mail_given_up', { what, value, change: 'see the event mail_given_up in latchkey audit' }),
    );
  }
  return found;
}

/** Sends a mail at once, without the queue, and says what the mail server said. */
export async function testMail(config: Config, to: string): Promise<Finding> {
  const { smtp, issuer, brand } = config;
  if (!isMailAddress(to)) {
    const what = 'this is not an address that can receive email';
    return finding('error', 'mail_test', { what, value: to, change: 'an address such as ada@example.com' });
  }
  if (!smtp) {
    const what = 'this server does not send email';
    return finding('error', 'mail_test', { what, value: 'no SMTP_URL', change: 'SMTP_URL=smtp://… and MAIL_FROM=…' });
  }
  const server = `${smtp.host}:${smtp.port}`;
  try {
    const mail = writeMail(config, { to, language: 'en', subject: 'test', names: {} });
    const said = await sendBySmtp({ smtp, issuer, brand }, mail);
    const what = 'the mail server accepted the email';
    return finding('note', 'mail_test', { what, value: `${server} said: ${said}`, change: 'nothing, if it arrives' });
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    const value = `${server}: ${error.message.slice(0, 500)}`;
    const what = 'the mail server did not accept the email';
    return finding('error', 'mail_test', { what, value, change: 'SMTP_URL, MAIL_FROM, or the mail server' });
  }
}
