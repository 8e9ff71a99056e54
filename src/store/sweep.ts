import { type Database, row, rows, type Statement, sql } from '../postgres/database.ts';
import { isCausedByOneRow, tookTooLong } from '../postgres/errors.ts';

/** Pages of a table that one statement looks through: few enough that it is over in a moment. */
const mostPages = 1000;
/** Pages that one run leaves out of a table, because somebody holds a row of them, before it leaves the rest for the next run. */
const mostLeftOut = 20;

/** By place, not by time: an index on the time would cost every token that is issued more than this ever will. */
const inSlice = `ctid >= format('(%s,0)', $1::bigint)::tid
       and ctid < format('(%s,0)', $2::bigint)::tid`;

interface Step {
  readonly table: string;
  readonly statement: Statement;
}

/** `swept` are the rows of the slice that it deletes or empties. */
function step(table: string, name: string, swept: string): Step {
  return { table, statement: sql(`sweep_${name}`, `with ${swept} select count(*)::integer as swept from swept`) };
}

function deleting(table: string, overdue: string): Step {
  return step(
    table,
    table,
    `swept as (
       delete from ${table}
       where ${inSlice}
         and (${overdue})
       returning 1
     )`,
  );
}

/** Nobody can use or see it any more since its developer deleted it. */
const isOfDeletedClient = 'client_id in (select client_id from clients where deleted_at is not null)';

/**
 * What can never matter again, by the times that its own rows carry, and a day late, so that nobody's clock is asked
 * twice; what somebody revoked, a week late, so that its developer can still be told why. A used code and a rotated
 * refresh token are kept as long as their family can live: a deleted one could not be recognised when it comes back.
 */
const steps: readonly Step[] = [
  deleting('access_tokens', `expires_at < now() - interval '1 day'`),
  // the last refresh token of a family goes when it has expired; then those before it have nothing left to protect
  step(
    'refresh_tokens',
    'refresh_tokens',
    `swept as (
       delete from refresh_tokens token
       where ${inSlice}
         and case when rotated_at is null then expires_at < now() - interval '1 day' else not exists (
           select from authorization_codes code
           where code.code_id = token.code_id
             and code.refresh_ended_at is null) end
       returning code_id, rotated_at
     ), ended as (
       update authorization_codes code
       set refresh_ended_at = now()
       from swept
       where code.code_id = swept.code_id
         and swept.rotated_at is null
     )`,
  ),
  // past every grace: of a rotated token only its digest and its family are needed, to recognise it
  step(
    'refresh_tokens',
    'rotated_refresh_tokens',
    `swept as (
       update refresh_tokens
       set scopes = '{}',
         successor_salt = null,
         successor_sha256 = null,
         successor_access_sha256 = null
       where ${inSlice}
         and rotated_at < now() - interval '1 day'
         and successor_salt is not null
       returning 1
     )`,
  ),
  deleting(
    'authorization_codes',
    `case when redeemed_at is null then expires_at else family_ends_at end < now() - interval '1 day'
       or redeemed_at is not null and least(revoked_at, (
         select least(grants.revoked_at, grants.expires_at)
         from grants
         where grants.grant_id = authorization_codes.grant_id)) < now() - interval '7 days'
       or ${isOfDeletedClient}`,
  ),
  deleting(
    'grants',
    `least(revoked_at, expires_at) < now() - interval '7 days' and not exists (
       select from authorization_codes code
       where code.grant_id = grants.grant_id)
       or ${isOfDeletedClient}`,
  ),
  deleting(
    'clients',
    `deleted_at is not null and not exists (
       select from grants
       where grants.client_id = clients.client_id)`,
  ),
  deleting('sessions', `last_used_at < now() - interval '1 day'`),
  deleting('consent_decisions', `decided_at < now() - interval '1 day'`),
  deleting('used_tickets', `used_at < now() - interval '1 day'`),
  deleting('attempts', `forgotten_at < now()`),
  deleting('refusals', `happened_at < now() - interval '7 days'`),
];

const countPagesStatement = sql(
  'count_pages',
  `select (pg_relation_size($1::regclass) / current_setting('block_size')::integer)::double precision as pages`,
);

async function countPages(database: Database, table: string): Promise<number> {
  return (await row<{ pages: number }>(database, countPagesStatement, [table]))?.pages ?? 0;
}

export interface Swept {
  /** rows that were deleted or emptied */
  rows: number;
  /** why pages were left out, the last time that happened */
  leftOut: unknown;
}

/** A sweep goes once through every table; one that broke off is gone on with where it stopped. */
export function createSweep(database: Database): () => Promise<Swept> {
  const reached = new Map<Step, number>();

  async function run(one: Step, swept: Swept): Promise<void> {
    const size = await countPages(database, one.table);
    let [pages, page, leftOut] = [Math.min(mostPages, size), reached.get(one) ?? 0, 0];
    while (page < size && leftOut < mostLeftOut) {
      try {
        const [answer] = await rows<{ swept: number }>(database, one.statement, [page, page + pages], 1);
        swept.rows += answer?.swept ?? 0;
        page += pages;
        pages = Math.min(mostPages, pages * 2);
      } catch (error) {
        if (!isCausedByOneRow(error) && !tookTooLong(error)) throw error;
        // took too long, or met a row that somebody holds: fewer pages at a time, in the end without that one
        if (pages === 1) {
          page += 1;
          leftOut += 1;
          swept.leftOut = error;
        }
        pages = Math.ceil(pages / 2);
      }
      reached.set(one, page);
    }
    if (leftOut < mostLeftOut) reached.delete(one);
  }

  return async () => {
    const swept: Swept = { rows: 0, leftOut: undefined };
    for (const one of steps) await run(one, swept);
    return swept;
  };
}
