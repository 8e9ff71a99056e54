import { batched } from '../postgres/batches.ts';
import type { Database } from '../postgres/database.ts';

/** The grant whose use has to be noted again; null while the last note of it is less than five minutes old. */
export const staleGrant = `case when (grants.last_used_at > now() - interval '5 minutes') is not true
       then grants.grant_id end as stale_grant_id`;

/**
 * One write in five minutes for a grant, and one for its client, however many requests find at once that it is time. A row
 * that somebody holds is passed over: perhaps it is being noted just now, and if not, the next use is.
 */
const noteUse = batched<{ grant_id: string }, object>(
  'note_grant_use',
  { grant_id: 'bigint' },
  (asked) => `with due as (
     select place, grants.grant_id, grants.client_id
     from ${asked}
     join grants on grants.grant_id = asked.grant_id
     where (grants.last_used_at > now() - interval '5 minutes') is not true
     for no key update of grants skip locked
   ), noted as (
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
   ), client_noted as (
     update clients
     set last_used_at = now()
     from client_due
     where clients.client_id = client_due.client_id
   )
   select place
   from due`,
);

export async function noteGrantUse(database: Database, grant_id: string): Promise<void> {
  await noteUse(database, { grant_id });
}
