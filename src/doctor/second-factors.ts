import { openSecret } from '../identity/second-factor.ts';
import { listTotpSecrets } from '../identity/second-factors.sql.ts';
import { type Finding, finding } from '../lib/finding.ts';
import type { Database } from '../postgres/database.ts';

/** People whose codes cannot be checked, since their secrets were sealed with a SESSION_SECRET that is missing. */
export async function secondFactorFindings(database: Database, sessionSecrets: readonly string[]): Promise<Finding[]> {
  const stored = await listTotpSecrets(database);
  const unreadable = stored.filter(({ user_id, secret }) => !openSecret({ sessionSecrets }, user_id, secret));
  if (unreadable.length === 0) return [];
  return [
    finding('error', 'second_factor_unreadable', {
      what: 'people have a second factor that is encrypted with a SESSION_SECRET that is missing; only their recovery codes work',
      value: `${unreadable.length} of the ${stored.length} that were looked at`,
      change: 'append the previous value to SESSION_SECRET, after a comma, or latchkey user reset-factors NAME',
    }),
  ];
}
