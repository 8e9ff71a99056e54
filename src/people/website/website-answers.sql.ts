import { isOpenSignIn } from '../../identity/active.sql.ts';
import type { SignInKey, StartedSignIn } from '../../identity/started-sign-ins.sql.ts';
import { type Database, hasRow, row, sql } from '../../postgres/database.ts';

// The answer of the website is kept beside the sign-in that it names, so that it stands in no address of a page. Only the browser in
// which the sign-in began can bring it: somebody else's would have been made for the person there.

const source = 'website';

const ofBrowser = `state_sha256 = $1
     and browser_sha256 = $2
     and source = '${source}'
     and ${isOpenSignIn}`;

const keepStatement = sql(
  'keep_website_answer',
  `update started_sign_ins
   set detail = detail || jsonb_build_object('answer', $3::text)
   where ${ofBrowser}
     and not detail ? 'is_over'
     and ($4 or not detail ? 'answer')
   returning query`,
);

/**
 * Keeps an answer and returns the query of the sign-in; undefined if it is over, or if there is an answer already and this one is not
 * known to be signed.
 */
export async function keepWebsiteAnswer(
  database: Database,
  key: SignInKey,
  answer: string,
  is_signed: boolean,
): Promise<string | undefined> {
  const values = [key.state_sha256, key.browser_sha256, answer, is_signed];
  return (await row<{ query: string }>(database, keepStatement, values))?.query;
}

/** A sign-in at the website, and the times that decide about its answer, in seconds since 1970. */
export interface AnsweredSignIn extends StartedSignIn {
  started_at: number;
  now: number;
}

const findStatement = sql(
  'find_website_sign_in',
  `select source, query, detail, date_part('epoch', started_at) as started_at, date_part('epoch', now()) as now
   from started_sign_ins
   where ${ofBrowser}`,
);

/** Finds a sign-in at the website; undefined if it is unknown or over, or began in another browser. */
export function findWebsiteSignIn(database: Database, key: SignInKey): Promise<AnsweredSignIn | undefined> {
  return row(database, findStatement, [key.state_sha256, key.browser_sha256]);
}

const endStatement = sql(
  'end_website_sign_in',
  `update started_sign_ins
   set detail = detail || '{"answer": "", "is_over": true}'
   where ${ofBrowser}
     and not detail ? 'is_over'
   returning state_sha256`,
);

/**
 * Ends a sign-in at the website; false if another request has ended it. The row stays, so that a page can lead on from a sign-in that is
 * over.
 */
export function endWebsiteSignIn(database: Database, key: SignInKey): Promise<boolean> {
  return hasRow(database, endStatement, [key.state_sha256, key.browser_sha256]);
}
