import { type Database, rows, sql } from './database.ts';

const noteUseStatement = sql(
  'note_grant_use',
  `with locked as (
     select grant_id
     from grants
     where grant_id = (select grant_id from authorization_codes where code_id = $1)
     for no key update
   ), noted as (
     update authorization_codes code
     set last_used_at = now()
     from locked
     where code.code_id = $1
       and (code.last_used_at > now() - interval '5 minutes') is not true
     returning code.grant_id
   )
   update grants
   set last_used_at = now()
   from noted
   where grants.grant_id = noted.grant_id`,
);

/**
 * At most one write a family in five minutes, however many requests find at once that it is time for one. The grant is
 * locked first, as by whoever revokes it, who goes on to its families: the other way round each could wait for the other.
 */
export async function noteUse(database: Database, code_id: string): Promise<void> {
  await rows(database, noteUseStatement, [code_id]);
}
