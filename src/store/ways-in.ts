import { isEnabled } from './active.ts';

/**
 * All ways in that a person could be left with, locked in one order, for a statement that removes one of them: the password, identities
 * at other servers, and passkeys that sign in alone. Of two tabs that each remove one of two, the second waits for the locks, and then
 * sees what the first has left. The person is $1.
 */
export const lockedWays = `person as (
     select user_id, source, coalesce(password_hash, password_bcrypt) is not null as has_password,
       second_factor_since is not null as has_second_factor
     from users
     where user_id = $1
       and ${isEnabled('users')}
     for no key update
   ), linked as (
     select identities.issuer, identities.subject
     from person
     join identities on identities.user_id = person.user_id
     order by issuer, subject
     for update of identities
   ), keys as (
     select credential_id, rp_id
     from passkeys
     where user_id = $1
       and user_verified
       and (select count(*) from linked) >= 0
     order by credential_id
     for update
   )`;
