import { mailsToAnybody } from '../lib/mail.ts';
import { type Database, row, rows, sql } from '../postgres/database.ts';

/** Seconds within which a try must end; after that another instance takes the mail. */
export const leaseSeconds = 60;

export interface NewMail {
  kind: string;
  user_id: number | null;
  sealed: Buffer;
}

const queueStatement = sql('queue_mail', 'insert into mails (kind, user_id, sealed) values ($1, $2, $3)');

export async function queueMail(database: Database, { kind, user_id, sealed }: NewMail): Promise<void> {
  await rows(database, queueStatement, [kind, user_id, sealed]);
}

export interface ClaimedMail extends NewMail {
  mail_id: string;
  created_at: Date;
  /** 1 for the first try */
  tries: number;
  lane: number;
}

/**
 * Mails wait for mails of their own lane only. Two things decide the lane: whether anybody may have chosen the address, and whether
 * the mail has failed before.
 */
const laneOf = (mails: string) => `(${mails}.kind = any ($2))::integer + 2 * (${mails}.tries > 0)::integer`;
export const lanes = 4;

/**
 * Other instances take the next mails at the same moment, and take these mails again if this instance does not say in time how its
 * try ended. A time that is later than a pause can be is from a clock that was ahead. The mail that proves a new address waits
 * until the confirmed address was told, or the mail to it was given up. A lane tries one mail of each person at a time: whoever has
 * a slow mailbox holds one of its connections. Without `materialized`, Postgres may run the query again for each row of a table that it
 * takes for small: rows which this statement has taken are then skipped as well, and it takes others, beyond any limit.
 */
const claimStatement = sql(
  'claim_mails',
  `with claimed as materialized (
     select mail_id
     from unnest($1::integer[]) with ordinality lanes (free, number)
     cross join lateral (
       select mail_id
       from mails waiting
       where sealed is not null
         and (due_at <= now() or due_at > now() + interval '2 hours')
         and ${laneOf('waiting')} = number - 1
         and not exists (
           select
           from mails others
           where others.user_id = waiting.user_id
             and others.sealed is not null
             and (others.lane = number - 1 and others.due_at between now() and now() + interval '2 hours'
               or ${laneOf('others')} = number - 1 and (others.due_at, others.mail_id) < (waiting.due_at, waiting.mail_id)))
         and not (kind = 'confirm_address' and exists (
           select
           from mails warnings
           where warnings.user_id = waiting.user_id
             and warnings.mail_id < waiting.mail_id
             and warnings.kind = 'address_changing'
             and warnings.sealed is not null))
       order by due_at
       limit free
       for update skip locked) waiting_in_lane)
   update mails
   set tries = tries + 1,
       lane = ${laneOf('mails')},
       due_at = now() + interval '${leaseSeconds} seconds',
       created_at = least(created_at, now())
   from claimed
   where mails.mail_id = claimed.mail_id
   returning mails.mail_id, kind, user_id, sealed, tries, created_at, lane`,
);

/** `free`: how many mails to take of each lane. */
export function claimMails(database: Database, free: readonly number[]): Promise<ClaimedMail[]> {
  return rows<ClaimedMail>(database, claimStatement, [free, mailsToAnybody]);
}

const dropStatement = sql(
  'drop_mail',
  `delete from mails
   where mail_id = $1
     and tries = $2`,
);

/** Drops a mail that has nothing to send, and nothing to remember. */
export async function dropMail(database: Database, { mail_id, tries }: ClaimedMail): Promise<void> {
  await rows(database, dropStatement, [mail_id, tries]);
}

/** After this many tries a day has gone by, whatever the clocks say. */
const maxTries = 30;

const postponeStatement = sql(
  'postpone_mail',
  `update mails
   set due_at = now() + make_interval(secs => $3),
       lane = null,
       problem = $4,
       tries = tries - $6,
       sealed = case when $5 or tries >= ${maxTries} then null else sealed end,
       given_up_at = case when $5 or tries >= ${maxTries} then now() end
   where mail_id = $1
     and tries = $2
   returning given_up_at is not null as is_given_up`,
);

export interface FailedTry {
  /** seconds until the next try */
  pause: number;
  problem: string;
  /** whether another try would not help */
  is_final: boolean;
  /** whether this instance could not even try: another instance can, and begins where this one found the mail */
  is_none: boolean;
}

/** True if this was the last try. */
export async function postponeMail(
  database: Database,
  { mail_id, tries }: ClaimedMail,
  { pause, problem, is_final, is_none }: FailedTry,
): Promise<boolean> {
  const values = [mail_id, tries, pause, problem, is_final, is_none ? 1 : 0];
  return (await row<{ is_given_up: boolean }>(database, postponeStatement, values))?.is_given_up ?? false;
}

export interface MailQueue {
  waiting: number;
  /** seconds since somebody asked for the oldest mail */
  oldest_seconds: number;
  given_up: number;
  problem: string | null;
}

/** Further mails are not counted. */
export const mailsCounted = 10_000;

const findQueueStatement = sql(
  'find_mail_queue',
  `select count(*)::integer as waiting,
     greatest(0, extract(epoch from now() - min(created_at)))::double precision as oldest_seconds,
     (
       select count(*)::integer
       from (
         select
         from mails
         where given_up_at is not null
         limit ${mailsCounted}) given_up) as given_up,
     max(problem) as problem
   from (
     select created_at, problem
     from mails
     where sealed is not null
     order by due_at
     limit ${mailsCounted}) waiting`,
);

export async function findMailQueue(database: Database): Promise<MailQueue> {
  const found = await row<MailQueue>(database, findQueueStatement);
  return found ?? { waiting: 0, oldest_seconds: 0, given_up: 0, problem: null };
}

export interface SentCopy {
  mail_id: string;
  sent_at: Date;
  sealed_copy: Buffer;
}

const listCopiesStatement = sql(
  'list_mail_copies',
  `select mail_id, sent_at, sealed_copy
   from mails
   where sealed_copy is not null
   order by sent_at desc
   limit $1`,
);

/** The mails of the demo, newest first. */
export function listSentCopies(database: Database, limit: number): Promise<SentCopy[]> {
  return rows<SentCopy>(database, listCopiesStatement, [limit]);
}
