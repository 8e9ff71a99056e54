import { setTimeout as wait } from 'node:timers/promises';
import { audit } from '../../audit/audit.ts';
import { operatorsMails, type PreparedMail } from '../../lib/mail.ts';
import { digestOf } from '../../lib/secrets.ts';
import { writeMail } from '../../mail/mail.ts';
import { type MailDeps, openOrder, sealCopy, sendsMail } from '../../mail/mail-queue.ts';
import { type ClaimedMail, claimMails, dropMail, lanes, leaseSeconds, postponeMail } from '../../mail/mails.sql.ts';
import { MailError, sendBySmtp } from '../../mail/smtp.ts';
import { reasonOf } from '../../postgres/database-errors.ts';
import { counter } from '../../telemetry/metric.ts';
import { isMailKind, prepareMail } from './mail-preparation.ts';
import { markMailSent } from './sent-mails.sql.ts';

/** How often this instance looks for mails, and how many of each lane it sends at a time: more than anybody can order at once for one mailbox. */
const [intervalMs, atOnce] = [1000, 8];
/** Milliseconds without another log line about the same trouble. */
const quietMs = 60_000;
/** Seconds until the next try: 30, then twice as many each time, an hour at most. */
const pauseAfter = (tries: number) => Math.min(3600, 30 * 2 ** Math.min(tries - 1, 10));
/** Seconds until an instance that cannot read a mail takes it again: soon at first, since another one is to have it. */
const pauseOfOthers = ({ created_at }: ClaimedMail) =>
  Math.min(3600, Math.max(5, (Date.now() - created_at.getTime()) / 2000));

const outcomes = counter('latchkey_mails_total', 'Tries to hand a mail over.', {
  outcome: ['sent', 'dropped', 'failed', 'given_up'],
});

/** Sends what waits in the queue, as all instances do; one that stops or hangs leaves its mails to the others a minute later. */
export function startMailing(deps: MailDeps): { stop(): void } {
  if (!sendsMail(deps.config)) return { stop: () => {} };
  const free: number[] = Array(lanes).fill(atOnce);
  let [isClaiming, isStopped, quietUntil] = [false, false, 0];
  const warn = (error: unknown) => {
    if (performance.now() > quietUntil)
      deps.log.warn({ reason: reasonOf(error) }, 'the queue of mails could not be read');
    quietUntil = performance.now() + quietMs;
  };
  const send = async (mail: ClaimedMail) => {
    const { lane } = mail;
    free[lane] = (free[lane] ?? 0) - 1;
    await sendOne(deps, mail).catch(warn);
    free[lane] += 1;
    void run();
  };
  const run = async () => {
    if (isClaiming || isStopped) return;
    isClaiming = true;
    const claimed = await claim(deps, free).catch(warn);
    isClaiming = false;
    for (const mail of claimed ?? []) void send(mail);
  };
  const timer = setInterval(run, intervalMs);
  const stop = () => {
    isStopped = true;
    clearInterval(timer);
  };
  return { stop };
}

/** Sends the mails that are due now, as many of each lane as an instance sends at once. Returns how many they were. */
export async function sendWaitingMails(deps: MailDeps): Promise<number> {
  const mails = await claim(deps, Array(lanes).fill(atOnce));
  await Promise.all(mails.map((mail) => sendOne(deps, mail)));
  return mails.length;
}

/**
 * Takes mails to send. An instance that stood still for longer than its lease leaves its mails to another instance, whose link it would
 * end.
 */
async function claim({ database }: MailDeps, free: readonly number[]): Promise<ClaimedMail[]> {
  const end = performance.now() + leaseSeconds * 1000;
  const mails = await claimMails(database, free);
  return performance.now() < end ? mails : [];
}

/** Thrown for a mail that only another instance can read: one with another secret, or of another release. */
class UnreadableMail extends MailError {}

async function sendOne(deps: MailDeps, mail: ClaimedMail): Promise<void> {
  const { database, log } = deps;
  try {
    const order = openOrder(deps, mail);
    if (!order) throw new UnreadableMail({ code: 'ESEALED', message: 'sealed with another SESSION_SECRET' });
    const { kind, user_id, tries, created_at } = mail;
    if (!isMailKind(kind)) throw new UnreadableMail({ code: 'EKIND', message: 'of a kind of another release' });
    const prepared = await prepareMail(deps, kind, { ...order, user_id, tries, created_at });
    if (!prepared) return drop(deps, mail);
    await deliver(deps, mail, prepared);
    outcomes.add('sent');
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    const { summary: problem, isFinal: is_final } = error;
    log.warn({ mail_id: mail.mail_id, kind: mail.kind, tries: mail.tries, problem }, 'a mail was not sent');
    const is_none = error instanceof UnreadableMail;
    const pause = is_none ? pauseOfOthers(mail) : pauseAfter(mail.tries);
    const isGivenUp = await postponeMail(database, mail, { pause, problem, is_final, is_none });
    outcomes.add(isGivenUp ? 'given_up' : 'failed');
    if (isGivenUp) await auditEnd(deps, mail, problem);
  }
}

/** Drops a mail that can go to nobody. If an operator has ordered it for somebody, an event says so. */
async function drop(deps: MailDeps, mail: ClaimedMail): Promise<void> {
  outcomes.add('dropped');
  if (operatorsMails.some((kind) => kind === mail.kind)) await auditEnd(deps, mail, 'nobody to whom it can go');
  return dropMail(deps.database, mail);
}

function auditEnd(deps: MailDeps, { kind, user_id }: ClaimedMail, why: string): Promise<void> {
  const event = { event: 'mail_given_up', user_id: user_id ?? undefined, detail: `${kind} ${why}` } as const;
  return audit(deps, { request_id: 'mail', address: null }, event);
}

/** Hands the mail to the mail server, or to a page of a demo without one. */
async function deliver(deps: MailDeps, mail: ClaimedMail, prepared: PreparedMail): Promise<void> {
  const { config, database } = deps;
  const { smtp, issuer, brand } = config;
  const written = writeMail(config, prepared);
  if (smtp) await sendBySmtp({ smtp, issuer, brand }, written);
  const secret = prepared.link && new URL(prepared.link.url).searchParams.get('token');
  const handedOver = {
    sealed_copy: smtp ? null : sealCopy(deps, written),
    token_sha256: secret ? digestOf(secret) : null,
  };
  await untilDone(() => markMailSent(database, mail, handedOver));
}

/**
 * Tells the database that a mail was sent, again and again as long as no other instance takes the mail, because it cannot be called
 * back.
 */
async function untilDone(tell: () => Promise<unknown>): Promise<void> {
  for (let ms = 250; ms <= leaseSeconds * 250; ms *= 2) {
    const isDone = await tell().then(
      () => true,
      () => false,
    );
    if (isDone) return;
    await wait(ms, undefined, { ref: false });
  }
  await tell();
}
