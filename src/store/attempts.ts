import { createHash } from 'node:crypto';
import { type Database, row, rows, sql } from './database.ts';

/** How often something may be tried before it has to wait, and how the waits grow; in seconds. */
export interface Limit {
  key: string;
  free: number;
  pause: number;
  longest: number;
}

/** A digest, because a key holds what was typed as a name, and that is a password now and then. */
const storedKey = (key: string) => createHash('sha256').update(key).digest('base64url');

const countAttemptStatement = sql('count_attempt', 'select count_attempt($1, $2, $3, $4) as wait');

/** Seconds to wait; 0: go on. Counted before the attempt, so that parallel ones cannot all be the last free one. */
export async function countAttempt(database: Database, { key, free, pause, longest }: Limit): Promise<number> {
  const counted = await row<{ wait: number }>(database, countAttemptStatement, [storedKey(key), free, pause, longest]);
  return counted?.wait ?? 0;
}

const returnAttemptStatement = sql(
  'return_attempt',
  `update attempts
   set attempts = greatest(attempts - 1, 0),
     blocked_until = now()
   where key = $1`,
);

/** An attempt that was none: whoever was right has not been guessing. */
export async function returnAttempt(database: Database, key: string): Promise<void> {
  await rows(database, returnAttemptStatement, [storedKey(key)]);
}

const forgetAttemptsStatement = sql('forget_attempts', 'delete from attempts where key = any ($1)');

export async function forgetAttempts(database: Database, keys: readonly string[]): Promise<void> {
  await rows(database, forgetAttemptsStatement, [keys.map(storedKey)]);
}
