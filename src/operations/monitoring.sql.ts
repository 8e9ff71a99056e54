import { mailsCounted } from '../mail/mails.sql.ts';
import { type Database, row, sql } from '../postgres/database.ts';

/** Facts that only the database knows. */
export interface StoredState {
  /** how long ago the oldest access token expired; 0 if it has not */
  oldest_expired_seconds: number;
  /** partitions of the audit trail, among them the partition for events without a partition of their own */
  audit_partitions: number;
  /** the end of the last of the coming months that has a partition, in seconds since 1970 */
  audit_partitions_end: number;
  /** how long the oldest of the partitions that are to be dropped has been due; 0 if none is */
  audit_overdue_seconds: number;
  /** mails that are to be sent, of which the first 10,000 are counted */
  mails_waiting: number;
  /** how long ago the oldest waiting mail was asked for; 0 if there is none */
  oldest_mail_seconds: number;
}

/** The keys of tokens begin with their time of issue, so the first one in the index is the oldest: one row is read. */
const findStateStatement = sql(
  'find_stored_state',
  `select
     greatest(0, (
       select extract(epoch from now() - expires_at)
       from access_tokens
       order by access_token_sha256
       limit 1))::double precision as oldest_expired_seconds,
     count(*)::integer as audit_partitions,
     -- one that is further ahead was made while the clock was
     extract(epoch from max(ends_at) filter (where ends_at <= now() + interval '4 months'))::double precision as audit_partitions_end,
     greatest(0, (
       select extract(epoch from now() - min(overdue_since))
       from overdue_audit_partitions))::double precision as audit_overdue_seconds,
     (
       select count(*)::integer
       from (
         select
         from mails
         where sealed is not null
         limit ${mailsCounted}) waiting) as mails_waiting,
     greatest(0, (
       select extract(epoch from now() - created_at)
       from mails
       where sealed is not null
       order by mail_id
       limit 1))::double precision as oldest_mail_seconds
   from audit_partitions`,
);

export async function findStoredState(database: Database): Promise<StoredState | undefined> {
  return row<StoredState>(database, findStateStatement);
}

const findMigrationStatement = sql(
  'find_last_migration',
  `select name
   from migrations
   order by number desc
   limit 1`,
);

/** Finds the name of the newest migration that this database has. */
export async function findLastMigration(database: Database): Promise<string> {
  return (await row<{ name: string }>(database, findMigrationStatement))?.name ?? '';
}
