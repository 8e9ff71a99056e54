import { batched } from '../../postgres/batches.ts';
import type { Database } from '../../postgres/database.ts';

/** The id of the grant if its last_used_at is five minutes old and must be written again; otherwise null. */
export const grantToTouch = `case when (grants.last_used_at > now() - interval '5 minutes') is not true
       then grants.grant_id end as grant_to_touch`;

/** One write in five minutes for a grant and one for its client. A locked row is skipped: the next use will write it. */
const touch = batched<{ grant_id: string }, object>(
  'touch_grant',
  { grant_id: 'bigint' },
  (requests) => `with due as (
     select position, grants.grant_id, grants.client_id
     from ${requests}
     join grants on grants.grant_id = requests.grant_id
     where (grants.last_used_at > now() - interval '5 minutes') is not true
     for no key update of grants skip locked
   ), touched as (
     update grants
     set last_used_at = now()
     from due
     where grants.grant_id = due.grant_id
   ), client_due as (
     select clients.client_id
     from clients
     join (select distinct client_id from due) used on used.client_id = clients.client_id
     where (clients.last_used_at > now() - interval '5 minutes') is not true
     for no key update of clients skip locked
   ), client_touched as (
     update clients
     set last_used_at = now()
     from client_due
     where clients.client_id = client_due.client_id
   )
   select position
   from due`,
);

/**
 * Notes that a grant was used, where that is due. No answer waits for it: a client that gives up waiting would repeat a code that is
 * spent. A failure is ignored, and the next use of the grant tries again.
 */
export function noteLastUse(database: Database, grant_to_touch: string | null): void {
  if (grant_to_touch !== null) touchGrant(database, grant_to_touch).catch(() => {});
}

export async function touchGrant(database: Database, grant_id: string): Promise<void> {
  await touch(database, { grant_id });
}
