import type { AuditEvent, OperatorsTrace } from '../../audit/audit.sql.ts';
import { logEvent } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { countAttempt } from '../../identity/attempt-limits.sql.ts';
import { type ChangedUser, changeUserProfile } from '../../identity/users.sql.ts';

type Change = Parameters<typeof changeUserProfile>[2];

/** Limits changes, because each leaves an event that is kept for long; returns the seconds to wait. */
export function limitProfileChanges({ database }: Pick<Deps, 'database'>, user_id: number): Promise<number> {
  return countAttempt(database, { key: `profile of user ${user_id}`, free: 30, pause: 10, longest: 900 });
}

/**
 * Changes the profile for a person, or an application on their behalf; undefined if the account is disabled, or differs from what was
 * shown.
 */
export async function changeProfileOf(
  { database, log }: Pick<Deps, 'database' | 'log'>,
  user_id: number,
  change: Change,
  { client_id, ...trace }: OperatorsTrace & Pick<AuditEvent, 'client_id'>,
): Promise<ChangedUser | undefined> {
  const event = { event: 'profile_changed', user_id, client_id } as const;
  const changed = await changeUserProfile(database, user_id, change, { ...trace, ...event });
  if (changed?.is_other) logEvent({ log }, trace, event);
  return changed;
}
