import { type Database, row, rows, sql } from '../postgres/database.ts';
import { type User, userColumns } from './users.ts';

/** Whom administrators look for. Disabled people are found, deleted ones are not. */
export type FoundPerson = Pick<
  User,
  'user_id' | 'sub' | 'source' | 'username' | 'name' | 'email' | 'email_verified' | 'is_admin' | 'disabled_at'
>;

const columns = `users.user_id, coalesce(users.subject, users.user_id::text) as sub, users.source, users.username, users.name, users.email,
     users.email_verified, users.is_admin, users.disabled_at`;

/** What begins with $1, in the order of bytes, in which no character is greater than this one. */
const begins = (value: string, typed: string) => `${value} ~>=~ ${typed} and ${value} ~<~ (${typed} || chr(1114111))`;

const typed = 'folded_name($1)';
const typedAddress = `lower($1 collate "C")`;

/** By the whole name or subject first; then by how a name or an address begins. Each index is read for as many people as are shown. */
const byBeginningStatement = sql(
  'find_people_by_beginning',
  `select ${columns}
   from (
     select user_id, min(rank) as rank
     from (
       (select user_id, 0 as rank
       from users
       where username = $1
         or coalesce(subject, user_id::text) = $1)
       union all
       (select user_id, 1
       from sign_in_names
       where ${begins('name', typed)}
       order by name using ~<~
       limit $2)
       union all
       (select user_id, 1
       from users
       where ${begins('lower(email collate "C")', typedAddress)}
         and not email_verified
         and email is not null
       limit $2)
       union all
       (select user_id, 1
       from users
       where ${begins('lower(pending_email collate "C")', typedAddress)}
         and pending_email is not null
       limit $2)) named
     group by user_id) found
   join users on users.user_id = found.user_id
   where users.deleted_at is null
   order by found.rank, users.username
   limit $2`,
);

/** By a part of a sign-in name, from three characters on. What many names contain is found by reading a few of them. */
const byPartStatement = sql(
  'find_people_by_part',
  `select ${columns}
   from (
     select user_id
     from sign_in_names
     where threes_of(name) @> threes_of(${typed})
       and strpos(name, ${typed}) > 0
     limit $2) found
   join users on users.user_id = found.user_id
   where users.deleted_at is null
   order by users.username`,
);

/** Characters that a part of a name has at least. */
export const shortestPart = 3;
/** Code units; no name, address or subject is longer. */
const longest = 255;

/** At most `limit` people, and no lever: the text is compared as it is. */
export async function findPeople(database: Database, text: string, limit: number): Promise<FoundPerson[]> {
  if (text === '' || text.length > longest || /\p{Cc}/u.test(text)) return [];
  const first = await rows<FoundPerson>(database, byBeginningStatement, [text, limit]);
  if (first.length === limit || [...text.trim()].length < shortestPart) return first;
  // a person has two names at most
  const parts = await rows<FoundPerson>(database, byPartStatement, [text, 2 * limit]);
  const others = new Map(parts.map((person) => [person.user_id, person]));
  for (const { user_id } of first) others.delete(user_id);
  return [...first, ...others.values()].slice(0, limit);
}

const findAnyStatement = sql(
  'find_any_user',
  `select ${userColumns}
   from users
   where user_id = $1
     and deleted_at is null`,
);

/** Disabled people, too. */
export function findAnyUser(database: Database, user_id: number): Promise<User | undefined> {
  return row<User>(database, findAnyStatement, [user_id]);
}
