import { type Database, rows, sql } from './database.ts';
import { mostLifetimes } from './refresh-tokens.ts';

/** Small enough that no statement holds its locks, or the disk, for long. */
const batch = 1000;

/**
 * Deletes what can never matter again, a day late, so that nobody's clock is asked twice. A used code and a rotated
 * refresh token are kept as long as their family could be alive: a deleted one could not be recognised when it comes
 * back. $1 is the longest life of a family in seconds.
 */
const sweeps = [
  `delete from access_tokens
   where ctid = any (array(
     select ctid from access_tokens
     where expires_at < now() - interval '1 day'
     limit ${batch}))`,
  `delete from refresh_tokens
   where ctid = any (array(
     select token.ctid from refresh_tokens token
     left join authorization_codes code on code.code_id = token.code_id
     where token.expires_at < now() - interval '1 day'
       and (code.code_id is null or code.revoked_at is not null
         or code.issued_at < now() - interval '1 day' - make_interval(secs => $1))
     limit ${batch}))`,
  `delete from authorization_codes
   where ctid = any (array(
     select ctid from authorization_codes
     where issued_at < now() - interval '1 day'
       and expires_at < now() - interval '1 day'
       and (redeemed_at is null or issued_at < now() - interval '2 days' - make_interval(secs => $1))
     limit ${batch}))`,
  `delete from sessions
   where ctid = any (array(
     select ctid from sessions
     where last_used_at < now() - interval '1 day'
     limit ${batch}))`,
  `delete from consent_decisions
   where ctid = any (array(
     select ctid from consent_decisions
     where decided_at < now() - interval '1 day'
     limit ${batch}))`,
  `delete from attempts
   where ctid = any (array(
     select ctid from attempts
     where forgotten_at < now()
     limit ${batch}))`,
].map((text, index) => ({ usesLife: text.includes('$1'), statement: sql(`sweep_${index}`, `${text} returning 1`) }));

/** Deletes until nothing is left to delete; how many rows that were. */
export async function sweep(database: Database, refresh_token_ttl: number): Promise<number> {
  let deleted = 0;
  for (const { statement, usesLife } of sweeps) {
    for (let found = batch; found === batch; deleted += found) {
      found = (await rows(database, statement, usesLife ? [refresh_token_ttl * mostLifetimes] : [])).length;
    }
  }
  return deleted;
}
