import { createHash } from 'node:crypto';
import { type RecordedEvent, recordedEvent, recordedValues } from '../audit/audit.sql.ts';
import { type Database, hasRow, row, rows, sql } from '../postgres/database.ts';

/** How many attempts are free, then the first wait and the longest, in seconds; each wait doubles. */
export interface Limit {
  key: string;
  /** whose attempts they are, so that an administrator can forget them */
  user_id?: number | undefined;
  free: number;
  pause: number;
  longest: number;
}

/** The digests of the keys, because a key contains what was typed as a username, which sometimes is a password. */
const storedKeys = (limits: readonly Limit[]) =>
  limits.map(({ key }) => createHash('sha256').update(key).digest('base64url'));

const countAttemptsStatement = sql('count_attempts', 'select count_attempts($1, $2, $3, $4, $5) as wait');

/**
 * Counts an attempt and returns the seconds to wait; 0: none. The attempt is counted before it is made, so that parallel attempts cannot
 * share the last free one, and under no limit if one of the limits demands a wait.
 */
export async function countAttempt(database: Database, ...limits: Limit[]): Promise<number> {
  const [free, pause, longest] = [limits.map((l) => l.free), limits.map((l) => l.pause), limits.map((l) => l.longest)];
  const values = [storedKeys(limits), free, pause, longest, limits.map(({ user_id }) => user_id ?? null)];
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

/**
 * Runs an attempt under limits. An error, such as overload, means that nothing was decided, so the attempt that was counted for it is
 * taken back.
 */
export async function underLimits<T>(
  database: Database,
  limits: readonly Limit[],
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    await returnAttempt(database, ...limits);
    throw error;
  }
}

const forgetAttemptsStatement = sql('forget_attempts', 'delete from attempts where key = any ($1)');

export async function forgetAttempts(database: Database, ...limits: Limit[]): Promise<void> {
  await rows(database, forgetAttemptsStatement, [storedKeys(limits)]);
}

const forgetAttemptsOfStatement = sql(
  'forget_attempts_of_user',
  `with forgotten as (
     delete from attempts
     where user_id = $1
     returning key
   ), ${recordedEvent('forgotten', 2)}
   select from forgotten`,
);

/** Forgets the attempts of a person from all networks and browsers. False if there were none. */
export function forgetAttemptsOf(database: Database, user_id: number, recorded: RecordedEvent): Promise<boolean> {
  return hasRow(database, forgetAttemptsOfStatement, [user_id, ...recordedValues(recorded)]);
}

/** The wrong passwords and codes of a person that count. */
export interface Lock {
  attempts: number;
  /** until when the next attempt is refused, from the place where that takes longest; null: nowhere */
  until: Date | null;
}

const findLockStatement = sql(
  'find_lock_of_user',
  `select coalesce(max(attempts), 0)::integer as attempts,
     max(blocked_until) filter (where blocked_until > clock_timestamp()) as until
   from attempts
   where user_id = $1
     and forgotten_at > now()`,
);

export async function findLock(database: Database, user_id: number): Promise<Lock> {
  return (await row<Lock>(database, findLockStatement, [user_id])) ?? { attempts: 0, until: null };
}
