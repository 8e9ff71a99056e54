/**
 * Tables that a backup leaves out: what they have is dead or untrue after a restore, or lives for minutes only. The larger part of a
 * database is in them.
 */
export const notInBackups: readonly string[] = [
  'access_tokens',
  'attempts',
  'authorization_codes',
  'client_key_sets',
  'consent_decisions',
  'database_clock',
  'overdue_audit_partitions',
  'pushed_requests',
  'refusals',
  'sessions',
  'started_sign_ins',
  'used_proofs',
  'used_tickets',
];
