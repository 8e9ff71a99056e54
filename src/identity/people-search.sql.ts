import { type Database, row, rows, sql } from '../postgres/database.ts';
import { tookTooLong } from '../postgres/database-errors.ts';
import type { User } from './users.sql.ts';

/**
 * By which a name is looked for: how it begins, its second, third, last but one and last word, so each word of a name of up to five.
 * Each expression has an index.
 */
export const wordsOfName = (column: string): readonly string[] => [
  `lower(${column})`,
  `split_part(lower(${column}), ' ', 2)`,
  `substring(lower(${column}) from '^[^ ]+ [^ ]+ ([^ ]+) ')`,
  `substring(lower(${column}) from '^[^ ]+ [^ ]+ [^ ]+ (?:.* )?([^ ]+) [^ ]+$')`,
  `substring(lower(${column}) from '^[^ ]+ [^ ]+ (?:.* )?([^ ]+)$')`,
];

/** Whom administrators look for. Disabled people are found, deleted ones are not. */
export type FoundPerson = Pick<
  User,
  | 'user_id'
  | 'sub'
  | 'source'
  | 'username'
  | 'name'
  | 'email'
  | 'email_verified'
  | 'is_admin'
  | 'created_at'
  | 'disabled_at'
> & {
  /** the day on which the person last began a session, to the week; null if they never have */
  last_day: Date | null;
};

export const foundColumns = `users.user_id, coalesce(users.subject, users.user_id::text) as sub, users.source, users.username, users.name, users.email,
     users.email_verified, users.is_admin, users.created_at, users.disabled_at,
     -- who signs in has a language from then on
     case when users.language is not null then users.seen_on at time zone 'UTC' end as last_day`;

/** What begins with $1, in the order of bytes, in which no character is greater than this one. */
const begins = (value: string, typed: string) => `${value} ~>=~ ${typed} and ${value} ~<~ (${typed} || chr(1114111))`;

const typed = 'folded_name($1)';
const typedAddress = `lower($1 collate "C")`;

/** Finds people by their real name. */
const byWord = (word: string) => `union all
       (select user_id, 2
       from users
       where ${begins(word, 'lower($1)')}
       order by ${word} using ~<~
       limit $2)
       `;

/**
 * Finds people by the whole name or subject first; then by how a name or an address begins; then by the words of the real name.
 * Each index is read for as many people as are shown.
 */
const byBeginningStatement = sql(
  'find_people_by_beginning',
  `select ${foundColumns}, found.rank = 0 as is_whole
   from (
     select user_id, min(rank) as rank
     from (
       (select user_id, 0 as rank
       from users
       where username = $1
         or coalesce(subject, user_id::text) = $1)
       union all
       (select user_id, 0
       from sign_in_names
       where name = ${typed})
       union all
       (select user_id, 1
       from sign_in_names
       where ${begins('name', typed)}
       order by name using ~<~
       limit 2 * $2)
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
       limit $2)
       ${wordsOfName('name').map(byWord).join('')}) named
     group by user_id) found
   join users on users.user_id = found.user_id
   where users.deleted_at is null
   order by found.rank, users.username
   limit $2`,
);

/** People by their first name that has the part, so that of more people the first are the same. */
const havingPart = (names: string) => `select user_id, min(name) as name
     from ${names}
     where strpos(name, ${typed}) > 0
     group by user_id
     order by min(name)
     limit $2`;

const sizeStatement = sql(
  'estimate_sign_in_names',
  `select reltuples::float8 as names from pg_class where oid = 'sign_in_names'::regclass`,
);

/** Names that are looked at before the index: what is in so many of them is in too many of all. */
const sampled = 5000;

const inSampleStatement = sql(
  'find_people_in_sample',
  // the sample is the same each time
  `select ${foundColumns}
   from (
     ${havingPart('sign_in_names tablesample system ($3::real) repeatable (0)')}) found
   join users on users.user_id = found.user_id
   where users.deleted_at is null
   order by found.name`,
);

/** How common each three of what was typed is, as Postgres has seen at its last look at the names; null: not among the common ones. */
const threesStatement = sql(
  'find_threes_of_part',
  `with common as materialized (
     select elements.three, elements.share
     from pg_stats
     cross join unnest(most_common_elems::text::text[], most_common_elem_freqs) elements (three, share)
     where schemaname = current_schema()
       and tablename = 'sign_in_names_by_part'
       and elements.three = any (threes_of(${typed}))
   )
   select typed.three, common.share
   from (select distinct unnest(threes_of(${typed})) as three) typed
   left join common on common.three = typed.three
   order by common.share nulls first`,
);

/** Names that are compared with a part, of those that the index finds by its threes. */
const compared = 500;

/** Finds people by a part of a sign-in name, which the index has in threes. */
const byPartStatement = sql(
  'find_people_by_part',
  `with candidates as materialized (
     select name, user_id
     from sign_in_names
     where threes_of(name) @> $3::text[]
     limit ${compared}
   )
   select ${foundColumns}, counted.candidates
   from (select count(*)::integer as candidates from candidates) counted
   left join (
     ${havingPart('candidates')}) named on true
   left join users on users.user_id = named.user_id
     and users.deleted_at is null
   order by named.name`,
);

/** Characters that a part of a name has at least. */
export const shortestPart = 3;
/** Code units; no name, address or subject is longer. */
const longest = 255;

export interface FoundPeople {
  people: FoundPerson[];
  /** there are others, and more of the name would tell which of them is meant */
  more: boolean;
}

/** At most `limit` people, and no lever: the text is compared as it is. */
export async function findPeople(database: Database, text: string, limit: number): Promise<FoundPeople> {
  if (text === '' || text.length > longest || /\p{Cc}/u.test(text)) return { people: [], more: false };
  const found = await rows<FoundPerson & { is_whole: boolean }>(database, byBeginningStatement, [text, limit + 1]);
  const people = found.map(({ is_whole: _, ...person }) => person);
  if (people.length > limit) return { people: people.slice(0, limit), more: true };
  // whoever types a whole name looks for nobody whose name has it as a part
  const isWhole = found.some(({ is_whole }) => is_whole);
  if (isWhole || [...text.trim()].length < shortestPart) return { people, more: false };
  const parts = await findByPart(database, text, limit + 1);
  const others = new Map(parts.people.map((person) => [person.user_id, person]));
  for (const { user_id } of people) others.delete(user_id);
  const all = [...people, ...others.values()];
  return { people: all.slice(0, limit), more: parts.more || all.length > limit };
}

/** Threes of so many names are not read: that would take longer than a search may. */
const tooCommon = 100_000;
/** Threes that are looked up, beside the rare ones: each further one costs more than the names that it excludes. */
const commonThrees = 3;

/** A common part is found in a sample, a rare one by its rarest threes; of one between, more of the name is needed. */
async function findByPart(database: Database, text: string, limit: number): Promise<FoundPeople> {
  const size = (await row<{ names: number }>(database, sizeStatement))?.names ?? 0;
  const seen =
    size > sampled ? await rows<FoundPerson>(database, inSampleStatement, [text, limit, (100 * sampled) / size]) : [];
  if (seen.length === limit) return { people: seen, more: true };
  const threes = await rows<{ three: string; share: number | null }>(database, threesStatement, [text]);
  if (threes.every(({ share }) => (share ?? 0) * size > tooCommon)) return { people: seen, more: true };
  const looked = threes.filter(({ share }, at) => share === null || at < commonThrees).map(({ three }) => three);
  return findByThrees(database, text, looked, limit).catch((error: unknown) => {
    if (tookTooLong(error)) return { people: seen, more: true };
    throw error;
  });
}

async function findByThrees(
  database: Database,
  text: string,
  threes: readonly string[],
  limit: number,
): Promise<FoundPeople> {
  type Found = Partial<FoundPerson> & { user_id: number | null; candidates: number };
  const found = await rows<Found>(database, byPartStatement, [text, limit, threes]);
  const people = found.filter(({ user_id }) => user_id !== null).map(({ candidates: _, ...person }) => person);
  return { people: people as FoundPerson[], more: found[0]?.candidates === compared };
}
