import { type Finding, finding } from '../lib/finding.ts';
import { listUnreadableClaims } from '../oauth/claims/claims.sql.ts';
import type { Database } from '../postgres/database.ts';

/** After a restore at a server without the role latchkey_reader, for instance: the tools of Postgres leave functions to their user. */
export async function claimFindings(database: Database): Promise<Finding[]> {
  const names = await listUnreadableClaims(database);
  if (names.length === 0) return [];
  const what =
    'claims have no function that belongs to latchkey_reader, so they are missing, or are read with all rights';
  const change = 'register_claim again with the same values; it says what the role lacks';
  return [finding('error', 'claim_function', { what, value: names.slice(0, 10).join(', '), change })];
}
