import { type Database, rows, sql } from './database.ts';

/** Pages of a table that one statement looks through: small enough that it is over in a moment. */
const slice = 1000;

/**
 * What can never matter again, a day late, so that nobody's clock is asked twice. A used code and a rotated refresh token
 * are kept as long as their family could be alive: a deleted one could not be recognised when it comes back. $3 is the
 * longest life of a family in seconds.
 */
const overdue = {
  access_tokens: `expires_at < now() - interval '1 day'`,
  refresh_tokens: `expires_at < now() - interval '1 day' and not exists (
     select from authorization_codes code
     where code.code_id = refresh_tokens.code_id
       and code.revoked_at is null
       and code.issued_at > now() - interval '1 day' - make_interval(secs => $3::double precision))`,
  authorization_codes: `expires_at < now() - interval '1 day'
     and (redeemed_at is null or issued_at < now() - interval '2 days' - make_interval(secs => $3::double precision))`,
  sessions: `last_used_at < now() - interval '1 day'`,
  consent_decisions: `decided_at < now() - interval '1 day'`,
  attempts: `forgotten_at < now()`,
};

const countPagesStatement = sql(
  'count_pages',
  `select (pg_relation_size($1::regclass) / current_setting('block_size')::integer)::integer as pages`,
);

/** By place, not by time: an index on the time would cost every token that is issued more than this ever will. */
const sweeps = Object.entries(overdue).map(([table, condition]) => ({
  table,
  statement: sql(
    `sweep_${table}`,
    `delete from ${table}
     where ctid >= format('(%s,0)', $1::integer)::tid
       and ctid < format('(%s,0)', $2::integer)::tid
       and ${condition}${condition.includes('$3') ? '' : ' and $3::double precision is not null'}
     returning 1`,
  ),
}));

/** Goes once through every table; how many rows that deleted. */
export async function sweep(database: Database, longestLife: number): Promise<number> {
  let deleted = 0;
  for (const { table, statement } of sweeps) {
    const [size] = await rows<{ pages: number }>(database, countPagesStatement, [table]);
    for (let page = 0; page < (size?.pages ?? 0); page += slice) {
      deleted += (await rows(database, statement, [page, page + slice, longestLife])).length;
    }
  }
  return deleted;
}
