import { isEnabled } from './active.sql.ts';
import { sessionsVersion } from './sessions.sql.ts';

/**
 * Locks, in one order, all that a person could be left with to sign in, for a statement that removes a part of it: the password,
 * identities at other servers, passkeys, and the app of a second factor. Of two tabs that each remove one of two, the second waits for
 * the locks, and then sees what the first has left. The person is `user_id`, whose sessions nobody has ended since `version`, if that is
 * given.
 */
export const lockedWays = (user_id = '$1', version?: string) => `person as (
     select user_id, source, created_at, coalesce(password_hash, password_bcrypt) is not null as has_password,
       second_factor_since is not null as has_second_factor
     from users
     where user_id = ${user_id}
       and ${isEnabled('users')}${
         version
           ? `
       and ${sessionsVersion} = ${version}`
           : ''
       }
     for no key update
   ), linked as (
     select identities.issuer, identities.subject, identities.linked_at
     from person
     join identities on identities.user_id = person.user_id
     order by issuer, subject
     for update of identities
   ), keys as (
     select user_id, credential_id, rp_id, user_verified, created_at
     from passkeys
     where user_id = ${user_id}
       and (select count(*) from linked) >= 0
     order by credential_id
     for update
   ), apps as (
     select user_id, created_at
     from totp_factors
     where user_id = ${user_id}
       and (select count(*) from keys) >= 0
     for update
   )`;
