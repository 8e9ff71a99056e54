import type { ClaimedMail } from '../../mail/mails.sql.ts';
import { type Database, hasRow, sql } from '../../postgres/database.ts';
import { endOlderSignUps } from '../sign-up/sign-ups.sql.ts';
import { endOlderLinks } from './mailed-links.sql.ts';

const markSentStatement = sql(
  'mark_mail_sent',
  `with sent as (
     update mails
     set sealed = null,
         sealed_copy = $3,
         problem = null,
         sent_at = now()
     where mail_id = $1
       and tries = $2
     returning mail_id
   ), ${endOlderLinks}, ${endOlderSignUps}
   select mail_id from sent`,
);

export interface HandedOver {
  /** the mail for the page of the demo */
  sealed_copy: Buffer | null;
  /** the digest of the link in the mail */
  token_sha256: Buffer | null;
}

/** Marks a mail as sent, with which its link replaces earlier links. False if another instance has taken the mail in the meantime. */
export function markMailSent(
  database: Database,
  { mail_id, tries }: ClaimedMail,
  { sealed_copy, token_sha256 }: HandedOver,
): Promise<boolean> {
  return hasRow(database, markSentStatement, [mail_id, tries, sealed_copy, token_sha256]);
}
