import { type Database, row, rows, sql } from '../postgres/database.ts';
import { isOpenSignIn } from './active.sql.ts';

/** A sign-in that goes on at another site. */
export interface StartedSignIn {
  /** `website` or `provider:NAME` */
  source: string;
  /** the query of the page on which the sign-in began, with the authorization request */
  query: string;
  /** what only this sign-in knows */
  detail: Record<string, unknown>;
}

/** A sign-in is found by what comes back from the other site, and by the browser in which it began. */
export interface SignInKey {
  state_sha256: Buffer;
  browser_sha256: Buffer;
}

const startStatement = sql(
  'start_sign_in',
  `insert into started_sign_ins (state_sha256, browser_sha256, source, query, detail)
   values ($1, $2, $3, $4, $5)`,
);

export async function startSignIn(database: Database, key: SignInKey, started: StartedSignIn): Promise<void> {
  const { source, query, detail } = started;
  const values = [key.state_sha256, key.browser_sha256, source, query, JSON.stringify(detail)];
  await rows(database, startStatement, values);
}

const takeStatement = sql(
  'take_started_sign_in',
  `delete from started_sign_ins
   where state_sha256 = $1
     and browser_sha256 = $2
     and source = $3
     and ${isOpenSignIn}
   returning source, query, detail, date_part('epoch', started_at) as started_at, date_part('epoch', now()) as taken_at`,
);

/** Takes a sign-in, once; undefined if it is unknown or over, or began in another browser or for another source. */
export function takeSignIn(
  database: Database,
  { state_sha256, browser_sha256 }: SignInKey,
  source: string,
): Promise<(StartedSignIn & { started_at: number; taken_at: number }) | undefined> {
  return row(database, takeStatement, [state_sha256, browser_sha256, source]);
}
