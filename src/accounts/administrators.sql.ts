import { isEnabled } from '../identity/active.sql.ts';

// One administrator always stays: if two lose the rights at once, the second statement waits for the locks, and then
// finds the last administrator.

/**
 * Locks all administrators and the person $1 in one order: a statement that held the person first would wait for an administrator whose
 * action waits for the person. Locks nothing unless `needed`: after a wait for the person, Postgres reads this part even if its
 * condition is not used.
 */
export const administrators = (needed: string) => `administrators as (
     select user_id, is_admin and ${isEnabled('users')} as administers
     from users
     where ${needed}
       and (user_id = $1 or is_admin and ${isEnabled('users')})
     order by user_id
     for no key update
   )`;

/** Whether another administrator remains, or the person $1 is no administrator. */
export const staysAdministered = `exists (
         select from administrators
         where administers <> (administrators.user_id = $1))`;
