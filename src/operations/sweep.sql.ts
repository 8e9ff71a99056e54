import { setTimeout as pause } from 'node:timers/promises';
import { isEnabled } from '../identity/active.sql.ts';
import { type Database, row, rows, type Statement, sql } from '../postgres/database.ts';
import { mayBeCausedByOneRow, tookTooLong } from '../postgres/database-errors.ts';

/** Pages of a table that one statement scans, so that it is short. */
const maxPages = 1000;
/** Pages of a table that a run may skip because of locked rows, before it leaves the rest to the next run. */
const maxSkipped = 20;

/** Rows that one statement deletes in the order of time. */
const maxRows = 5000;

/** Most rows are found by their physical location (ctid): an index on a time would slow down every insert of a token. */
const inSlice = `ctid >= format('(%s,0)', $1::bigint)::tid
       and ctid < format('(%s,0)', $2::bigint)::tid`;

interface Step {
  readonly table: string;
  readonly statement: Statement;
  /** the setting for its $2; such a step finds rows in the order of time instead of their place */
  readonly days?: keyof SweepSettings;
}

interface SweepSettings {
  audit_retention_routine: number;
}

/** `swept` is a with query of the rows that the step deletes or empties. */
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

/** Deletes the oldest rows first, by the index on their time, so that a run reads what it deletes and nothing else. */
function deletingOldest(table: string, time: string, days: keyof SweepSettings): Step {
  const oldest = step(
    table,
    table,
    `oldest as materialized (
       select ctid from ${table}
       where ${time} < (now() - make_interval(days => $2)) at time zone 'UTC'
       order by ${time}
       limit $1
       for update skip locked),
     swept as (
       delete from ${table}
       where ctid = any (array(select ctid from oldest))
       returning 1
     )`,
  );
  return { ...oldest, days };
}

const isOfDeletedClient = 'client_id in (select client_id from clients where deleted_at is not null)';

/**
 * Whether a client registered itself and was not used for 30 days, or for 400 days after somebody had used it. One that an operator has
 * disabled stays: it bars its site.
 */
const isUnused = `coalesce(last_used_at + interval '400 days', created_at + interval '30 days') < now()
       and not vouched
       and ${isEnabled('clients')}
       and exists (
         select from self_registrations
         where self_registrations.client_id = clients.client_id)
       and not exists (
         select from clients_in_use
         where clients_in_use.client_id = clients.client_id)`;

/**
 * Rows are deleted a day after they expire, and a week after they are revoked, so that the developer can still look up why. A
 * used code is kept until its family expires, because the reuse of it and of refresh tokens must be recognised.
 */
const steps: readonly Step[] = [
  deleting('access_tokens', `expires_at < now() - interval '1 day'`),
  deleting(
    'authorization_codes',
    `case when redeemed_at is null then expires_at else family_ends_at end < now() - interval '1 day'
       or redeemed_at is not null and least(revoked_at, (
         select least(grants.revoked_at, grants.expires_at)
         from grants
         where grants.grant_id = authorization_codes.grant_id)) < now() - interval '7 days'
       or ${isOfDeletedClient}`,
  ),
  // silent grants as well, if the person has ended it: see registerSilentGrant
  step(
    'grants',
    'grants',
    `swept as (
       delete from grants
       where ${inSlice}
         and (least(revoked_at, expires_at) < now() - interval '7 days' and not exists (
           select from authorization_codes code
           where code.grant_id = grants.grant_id)
         or ${isOfDeletedClient})
       returning user_id, client_id
     ), remembered as (
       insert into own_decisions (user_id, client_id)
       select distinct swept.user_id, swept.client_id
       from swept
       join clients on clients.client_id = swept.client_id
       where clients.deleted_at is null
       on conflict do nothing
     )`,
  ),
  // the id and the name of a client that somebody has used stay: the application may come back with the id
  step(
    'clients',
    'clients',
    `swept as (
       delete from clients
       where ${inSlice}
         and (deleted_at is not null or ${isUnused})
         and not exists (
           select from grants
           where grants.client_id = clients.client_id)
       returning client_id, name, deleted_at, last_used_at
     ), buried as (
       insert into buried_clients (client_id, name)
       select client_id, name
       from swept
       where deleted_at is null
         and last_used_at is not null
       on conflict on constraint buried_clients_pkey do nothing
     )`,
  ),
  deleting('buried_clients', `buried_at < now() - interval '400 days'`),
  // applications that a user registered at the moment of their deletion
  step(
    'clients',
    'applications_of_deleted_users',
    `swept as (
       update clients
       set disabled_at = least(disabled_at, now()),
         disabled_by_owner = false,
         owner_id = null
       where ${inSlice}
         and owner_id in (select user_id from users where deleted_at is not null)
       returning 1
     )`,
  ),
  // deletes what was stored for the users at the moment of their deletion, too
  deleting('users', `deleted_at < now() - interval '7 days'`),
  deleting('invitations', `uses_left = 0 or expires_at < now() - interval '1 day'`),
  // given up mails are counted for a week; the demo shows a day
  deleting(
    'mails',
    `sealed is null and least(sent_at, given_up_at) < now() - interval '7 days'
       or sealed_copy is not null and sent_at < now() - interval '1 day'
       or created_at < now() - interval '8 days'`,
  ),
  deleting('mailed_links', `expires_at < now()`),
  deleting('sign_up_links', `expires_at < now()`),
  deleting('sessions', `last_used_at < now() - interval '1 day' or created_at < now() - interval '2 days'`),
  // a family can be ended as long as it lives
  deleting(
    'provider_sessions',
    `created_at < now() - interval '2 days' and not exists (
       select from authorization_codes code
       where code.provider_session_id = provider_sessions.provider_session_id)
     and not exists (
       select from sessions
       where sessions.user_id = provider_sessions.user_id
         and sessions.data ->> 'provider_session_id' = provider_sessions.provider_session_id::text)`,
  ),
  deleting('consent_decisions', `decided_at < now() - interval '1 day'`),
  deleting('used_tickets', `used_at < now() - interval '1 day'`),
  deleting('attempts', `forgotten_at < now()`),
  deleting('refusals', `happened_at < now() - interval '7 days'`),
  deleting('issued_tokens', `day < (now() at time zone 'UTC')::date - 7`),
  // counts are kept by the minute for a day, and then by the hour for a month
  step(
    'counts',
    'minutes',
    `overdue as (
       delete from counts
       where ${inSlice}
         and seconds = 60
         and begins_at < now() - interval '25 hours'
       returning begins_at, name, total
     ), rolled_up as (
       insert into counts (seconds, begins_at, name, total)
       select 3600, date_trunc('hour', begins_at, 'UTC') as hour, name, sum(total)
       from overdue
       group by hour, name
       order by name, hour
       on conflict on constraint counts_pkey do update
       set total = counts.total + excluded.total
     ), swept as (
       select 1
       from overdue
     )`,
  ),
  deleting('counts', `seconds = 3600 and begins_at < now() - interval '32 days'`),
  deleting('instances', `seen_at < now() - interval '1 day'`),
  deletingOldest('routine_events', `(happened_at at time zone 'UTC')`, 'audit_retention_routine'),
  // everything that a key has signed has expired long before
  deleting(
    'signing_keys',
    `exists (
       select from signing_keys newer
       where newer.published_at > signing_keys.published_at
         and newer.signs_from < now() - interval '1 day')`,
  ),
];

/**
 * Steps for what requests of clients add without a person, so that there can be thousands a second: it is deleted as soon as it is of no
 * use.
 */
const quickSteps: readonly Step[] = [
  deleting('used_proofs', 'expires_at < now()'),
  // a request that was opened in time stays open for an hour
  deleting('pushed_requests', `completed_at is not null or expires_at < now() - interval '1 hour'`),
  deleting('started_sign_ins', 'expires_at < now()'),
  deleting('ended_at_providers', 'expires_at < now()'),
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
  /** the error of the last page that was skipped */
  skipped: unknown;
}

const defaults: SweepSettings = { audit_retention_routine: 30 };

export const createSweep = (database: Database, settings = defaults) => sweepOf(database, steps, settings);
export const createQuickSweep = (database: Database) => sweepOf(database, quickSteps, defaults);

/** A sweep scans every table once; after an error, the next one continues where it stopped. */
function sweepOf(database: Database, steps: readonly Step[], settings: SweepSettings): () => Promise<Swept> {
  const reached = new Map<Step, number>();

  async function deleteOldest(one: Step, days: number, swept: Swept): Promise<void> {
    for (let deleted = maxRows; deleted === maxRows; ) {
      const begin = performance.now();
      const [answer] = await rows<{ swept: number }>(database, one.statement, [maxRows, days], 1);
      deleted = answer?.swept ?? 0;
      swept.rows += deleted;
      await leaveTimeToRequests(begin);
    }
  }

  async function scan(one: Step, swept: Swept): Promise<void> {
    const size = await countPages(database, one.table);
    let [pages, page, skipped] = [Math.min(maxPages, size), reached.get(one) ?? 0, 0];
    while (page < size && skipped < maxSkipped) {
      const begin = performance.now();
      try {
        const [answer] = await rows<{ swept: number }>(database, one.statement, [page, page + pages], 1);
        swept.rows += answer?.swept ?? 0;
        page += pages;
        pages = Math.min(maxPages, pages * 2);
      } catch (error) {
        if (!mayBeCausedByOneRow(error) && !tookTooLong(error)) throw error;
        // a timeout or a locked row: fewer pages at a time, down to a single page, which is skipped
        if (pages === 1) {
          page += 1;
          skipped += 1;
          swept.skipped = error;
        }
        pages = Math.ceil(pages / 2);
      }
      reached.set(one, page);
      await leaveTimeToRequests(begin);
    }
    if (skipped < maxSkipped) reached.delete(one);
  }

  return async () => {
    const swept: Swept = { rows: 0, skipped: undefined };
    for (const one of steps) {
      if (one.days) await deleteOldest(one, settings[one.days], swept);
      else await scan(one, swept);
    }
    return swept;
  };
}

/** Pauses for requests, which wait while a slice is written to the log of Postgres: half of the time is theirs. */
async function leaveTimeToRequests(begin: number): Promise<void> {
  await pause(performance.now() - begin, undefined, { ref: false });
}
