import { randomBytes } from 'node:crypto';
import { type Database, row, rows, sql } from './database.ts';

const issueSettingStatement = sql(
  'issue_setting',
  `insert into settings (name, value)
   values ($1, $2)
   on conflict (name) do update
   set value = settings.value
   returning value`,
);

/** Made by whichever instance asks first and shared by all: sessions survive restarts without any configuration. */
export async function findOrIssueSessionSecret(database: Database): Promise<string> {
  const proposal = randomBytes(32).toString('base64url');
  const setting = await row<{ value: string }>(database, issueSettingStatement, ['session_secret', proposal]);
  return setting?.value ?? proposal;
}

const checkStatement = sql('check_database', 'select name from settings limit 1');

/** Rejects while the database is away or not migrated. */
export async function checkDatabase(database: Database): Promise<void> {
  await rows(database, checkStatement);
}
