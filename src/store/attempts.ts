import { createHash } from 'node:crypto';
import { type Database, row, rows, sql } from '../postgres/database.ts';

/** How often something may be tried before it has to wait, and how the waits grow; in seconds. */
export interface Limit {
  key: string;
  free: number;
  pause: number;
  longest: number;
}

/** A digest, because a key holds what was typed as a name, and that is a password now and then. */
const storedKeys = (limits: readonly Limit[]) =>
  limits.map(({ key }) => createHash('sha256').update(key).digest('base64url'));

const countAttemptsStatement = sql('count_attempts', 'select count_attempts($1, $2, $3, $4) as wait');

/**
 * Seconds to wait; 0: go on. All limits are looked at before it is counted under any of them, and it is counted before the
 * attempt, so that parallel ones cannot all be the last free one.
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
 * An attempt that was none: whoever was right, or was turned away before the attempt, has not been guessing. A wait stays,
 * for it may be that of a guess at the same moment, and signing in with an account of one's own must not buy guesses.
 */
export async function returnAttempt(database: Database, ...limits: Limit[]): Promise<void> {
  await rows(database, returnAttemptStatement, [storedKeys(limits)]);
}

const forgetAttemptsStatement = sql('forget_attempts', 'delete from attempts where key = any ($1)');

export async function forgetAttempts(database: Database, ...limits: Limit[]): Promise<void> {
  await rows(database, forgetAttemptsStatement, [storedKeys(limits)]);
}
