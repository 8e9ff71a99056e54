import { isUnrevoked } from '../identity/active.sql.ts';
import { sessionsOfUser } from '../identity/sessions.sql.ts';
import { isActiveGrant } from '../oauth/rules.sql.ts';
import { type Database, row, sql } from '../postgres/database.ts';

/** What the home page says of an account. */
export interface AccountSummary {
  sessions: number;
  applications: number;
  /** whether there may be more applications: only the latest grants are counted */
  has_more: boolean;
}

const mostGrants = 50;

const summarizeAccountStatement = sql(
  'summarize_account',
  `select (
     select count(*)::integer
     from (
       select
       ${sessionsOfUser}) own) as sessions,
     count(distinct listed.client_id) filter (where ${isActiveGrant('listed')} and clients.deleted_at is null)::integer as applications,
     count(*) = ${mostGrants} as has_more
   from (
     select client_id, revoked_at, expires_at
     from grants
     where user_id = $1
       and ${isUnrevoked('grants')}
     order by revoked_at desc, granted_at desc, grant_id desc
     limit ${mostGrants}) listed
   join clients on clients.client_id = listed.client_id`,
);

export async function summarizeAccount(database: Database, user_id: number): Promise<AccountSummary | undefined> {
  return row<AccountSummary>(database, summarizeAccountStatement, [user_id]);
}
