/**
 * Tables that a backup leaves out: what they have is dead after a restore, or lives for minutes only. The larger part of a
 * database is in them.
 */
export const notInBackups: readonly string[] = [
  'access_tokens',
  'attempts',
  'authorization_codes',
  'consent_decisions',
  'pushed_requests',
  'refresh_tokens',
  'refusals',
  'sessions',
  'used_proofs',
  'used_tickets',
];
