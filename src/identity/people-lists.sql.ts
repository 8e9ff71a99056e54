import { type Database, rows, type Statement, sql } from '../postgres/database.ts';
import { isEnabled } from './active.sql.ts';
import { type FoundPerson, foundColumns } from './people-search.sql.ts';

/** A list of people. */
export type PeopleList = 'newest' | 'administrators' | 'disabled' | 'without_factor' | 'not_seen';

/** Finds the people of a list whose numbers are less than $1, the newest first. Each list has an index. */
const newestFirst = (name: string, condition: string) =>
  sql(
    `list_people_${name}`,
    `select ${foundColumns}
   from users
   where ${condition}
     and user_id < $1
   order by user_id desc
   limit $2`,
  );

/** Finds the people who were not seen for a year, after the person $1; those who were not seen for longest come first. */
const notSeenStatement = sql(
  'list_people_not_seen',
  `select ${foundColumns}
   from users
   where deleted_at is null
     and ${isEnabled('users')}
     and seen_on < current_date - 365
     and (seen_on, user_id) > (coalesce((select seen_on from users where user_id = $1), '-infinity'), $1)
   order by seen_on, user_id
   limit $2`,
);

const statements: Record<PeopleList, Statement> = {
  newest: newestFirst('newest', 'deleted_at is null'),
  administrators: newestFirst('administrators', 'is_admin'),
  disabled: newestFirst('disabled', 'disabled_at is not null\n     and deleted_at is null'),
  without_factor: newestFirst('without_factor', `second_factor_since is null\n     and ${isEnabled('users')}`),
  not_seen: notSeenStatement,
};

export const peopleLists = Object.keys(statements) as PeopleList[];

/** A page of a list: the people after the person with the number `after`. */
export async function listPeople(
  database: Database,
  list: PeopleList,
  after: number | undefined,
  limit: number,
): Promise<{ people: FoundPerson[]; next: number | undefined }> {
  const first = list === 'not_seen' ? 0 : 2 ** 31 - 1;
  const found = await rows<FoundPerson>(database, statements[list], [after ?? first, limit + 1]);
  const people = found.slice(0, limit);
  return { people, next: found.length > limit ? people.at(-1)?.user_id : undefined };
}
