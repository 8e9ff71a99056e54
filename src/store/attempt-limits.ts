import { createHash } from 'node:crypto';
import { type Database, row, rows, sql } from '../postgres/database.ts';

/** How many attempts are free, then the first wait and the longest, in seconds; each wait doubles. */
export interface Limit {
  key: string;
  free: number;
  pause: number;
  longest: number;
}

/** Digests, because a key contains what was typed as a username, which sometimes is a password. */
const storedKeys = (limits: readonly Limit[]) =>
  limits.map(({ key }) => createHash('sha256').update(key).digest('base64url'));

const countAttemptsStatement = sql('count_attempts', 'select count_attempts($1, $2, $3, $4) as wait');

/**
 * Counts an attempt and returns the seconds to wait; 0: none. It is counted before it is made, so that parallel attempts cannot
 * share the last free one, and under none of the limits if one of them demands a wait.
 */
export async function countAttempt(database: Database, ...limits: Limit[]): Promise<number> {
  const [free, pause, longest] = [limits.map((l) => l.free), limits.map((l) => l.pause), limits.map((l) => l.longest)];
  const values = [storedKeys(limits), free, pause, longest];
  return (await row<{ wait: number }>(database, countAttemptsStatement, values))?.wait ?? 0;
}

const returnAttemptStatement = sql(
  'return_attempt',
  `update attempts
   set attempts = greatest(attempts - 1, 0)
   where key = any ($1)`,
);

/**
 * Takes back an attempt that succeeded or was never made. A wait stays, because it may be due to a simultaneous guess:
 * otherwise an attacker could guess more often by signing in with an account of their own in between.
 */
export async function returnAttempt(database: Database, ...limits: Limit[]): Promise<void> {
  await rows(database, returnAttemptStatement, [storedKeys(limits)]);
}

const forgetAttemptsStatement = sql('forget_attempts', 'delete from attempts where key = any ($1)');

export async function forgetAttempts(database: Database, ...limits: Limit[]): Promise<void> {
  await rows(database, forgetAttemptsStatement, [storedKeys(limits)]);
}
