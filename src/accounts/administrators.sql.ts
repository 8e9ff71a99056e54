import { isEnabled } from '../identity/active.sql.ts';

// One administrator always stays: of two who lose the rights at once, the second one waits for the locks, and then finds itself the last.

/**
 * Together with the person $1, in one order: whoever held that person first would wait for an administrator whose act waits for the person.
 * Locks nothing unless `needed`: after a wait for the person, Postgres reads this part even where its condition is not asked.
 */
export const administrators = (needed: string) => `administrators as (
     select user_id, is_admin and ${isEnabled('users')} as administers
     from users
     where ${needed}
       and (user_id = $1 or is_admin and ${isEnabled('users')})
     order by user_id
     for no key update
   )`;

/** Another administrator remains, or the person $1 is no administrator. */
export const staysAdministered = `exists (
         select from administrators
         where administers <> (administrators.user_id = $1))`;
