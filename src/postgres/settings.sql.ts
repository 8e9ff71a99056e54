import { randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { type Database, row, sql } from './database.ts';
import { DatabaseUnavailableError } from './database-errors.ts';

const issueSettingStatement = sql(
  'issue_setting',
  `insert into settings (name, value)
   values ($1, $2)
   on conflict (name) do update
   set value = settings.value
   returning value`,
);

/**
 * Returns the secrets of the configuration; without them, a secret that the first instance creates and all share, so that sessions
 * survive restarts.
 */
export async function findSessionSecrets({ session_secret }: Config, database: Database): Promise<readonly string[]> {
  return session_secret ?? [await findOrIssueSessionSecret(database)];
}

async function findOrIssueSessionSecret(database: Database): Promise<string> {
  const proposal = randomBytes(32).toString('base64url');
  const setting = await row<{ value: string }>(database, issueSettingStatement, ['session_secret', proposal]);
  return setting?.value ?? proposal;
}

/** Fails if the table is missing. transaction_read_only is on for a standby, too. */
const checkStatement = sql(
  'check_database',
  `select current_setting('transaction_read_only')::boolean as is_read_only, (
     select name
     from settings
     limit 1) as any_setting`,
);

/** Rejects if the database is unavailable, not migrated or read-only. */
export async function checkDatabase(database: Database): Promise<void> {
  const found = await row<{ is_read_only: boolean }>(database, checkStatement);
  if (found?.is_read_only) throw new DatabaseUnavailableError('the database is read-only');
}
