import { batched } from '../postgres/batches.ts';
import { type Database, sql } from '../postgres/database.ts';
import { findPage, type Page } from '../postgres/pagination.sql.ts';

/** What the owner of a client may know of a refused request. */
export interface Refusal {
  client_id: string;
  request_id: string;
  /** method and path */
  request: string;
  error: string;
  reason: string;
  redirect_uri: string | undefined;
}

/** Refusals that are kept for each client. */
export const maxKept = 300;

const registerRefusals = batched<Refusal, object>(
  'register_refusal',
  { client_id: 'text', request_id: 'text', request: 'text', error: 'text', reason: 'text', redirect_uri: 'text' },
  (requests) => `with given as (
     select requests.*
     from ${requests}
   ), stored as (
     insert into refusals (client_id, request_id, request, error, reason, redirect_uri)
     select clients.client_id, request_id, request, error, reason, redirect_uri
     from given
     join clients on clients.client_id = given.client_id
     order by position
     returning client_id
   ), outdated as (
     delete from refusals
     where ctid = any (array(
       select older.ctid
       from (select distinct client_id from stored) affected
       cross join lateral (
         select kept.ctid
         from refusals kept
         where kept.client_id = affected.client_id
         order by kept.refusal_id desc
         offset ${maxKept}
         limit 500) older))
   )
   select position from given`,
);

/** Does nothing if there is no such client. */
export async function registerRefusal(database: Database, refusal: Refusal): Promise<void> {
  await registerRefusals(database, refusal);
}

const findRefusalsStatement = sql(
  'find_refusals',
  `select latest.client_id, latest.happened_at, latest.request_id, latest.request, latest.error, latest.reason,
     latest.redirect_uri, latest.times, latest.refusal_id
   from unnest($1::text[]) wanted (client_id)
   cross join lateral (
     select kept.client_id, max(kept.happened_at) as happened_at, max(kept.refusal_id) as refusal_id, kept.request, kept.error, kept.reason,
       kept.redirect_uri, (array_agg(kept.request_id order by kept.refusal_id desc))[1] as request_id, count(*)::integer as times
     from (
       select refusals.*
       from refusals
       where refusals.client_id = wanted.client_id
         and refusals.happened_at > now() - interval '7 days'
         and ($2::text is null or refusals.request_id = $2)
       order by refusals.refusal_id desc
       limit ${maxKept}) kept
     group by kept.client_id, kept.request, kept.error, kept.reason, kept.redirect_uri, date_trunc('hour', kept.happened_at)
     having $3::bigint is null
       or max(kept.refusal_id) < $3
     order by max(kept.refusal_id) desc
     limit $4) latest
   order by latest.refusal_id desc
   limit $4`,
);

type FoundRefusal = Omit<Refusal, 'redirect_uri'> & {
  refusal_id: string;
  happened_at: Date;
  redirect_uri: string | null;
  times: number;
};

/** Newest first, those that are alike once for each hour, with the latest request; with a request id only the refusal of that request. */
export function findRefusals(
  database: Database,
  { client_ids, request_id }: { client_ids: readonly string[]; request_id?: string | undefined },
  after: string | undefined,
  limit: number,
): Promise<Page<FoundRefusal>> {
  const key = /^\d{1,18}$/.test(after ?? '') ? after : null;
  const values = [client_ids, request_id ?? null, key];
  return findPage<FoundRefusal>(database, findRefusalsStatement, values, limit, ({ refusal_id }) => refusal_id);
}
