import { type Database, rows, sql } from '../postgres/database.ts';
import { keptFor } from '../postgres/kept.ts';
import { isEnabled } from './active.sql.ts';

/** Further kinds are ignored; programs of people have one or two. */
const mostKinds = 50;

/** A query in which each step finds the next kind by the index, so that a million people of one kind cost what one costs. */
const kindsInUse = `with recursive kinds as (
     (
       select beginning_of_hash(password_hash) as kind
       from users
       where password_hash is not null
         and ${isEnabled('users')}
       order by 1
       limit 1
     )
     union all
     select (
       select beginning_of_hash(password_hash)
       from users
       where password_hash is not null
         and ${isEnabled('users')}
         and beginning_of_hash(password_hash) > kinds.kind
       order by 1
       limit 1)
     from kinds
     where kinds.kind is not null
   )`;

const listKindsStatement = sql(
  'list_password_kinds',
  `${kindsInUse}
   select kind
   from kinds
   where kind is not null
   limit ${mostKinds}`,
);

const known = keptFor<readonly string[]>(60_000);

/** The beginnings of all hashes of other programs that an enabled user has; at most a minute old. */
export function findPasswordKinds(database: Database): Promise<readonly string[]> {
  return known(database, async () =>
    (await rows<{ kind: string }>(database, listKindsStatement)).map(({ kind }) => kind),
  );
}

/** The most people of one kind that are counted. */
export const mostCounted = 10_000;

export interface PasswordKind {
  kind: string;
  /** `mostCounted` + 1 if there are more */
  people: number;
  /** how many of the first have a hash that no password is compared with */
  unusable: number;
}

/** How many people of a kind have their hashes looked at. */
const lookedAt = 100;

const countKindsStatement = sql(
  'count_password_kinds',
  `${kindsInUse}
   select kind, counted.people, looked_at.unusable
   from kinds
   cross join lateral (
     select count(*)::integer as people
     from (
       select
       from users
       where password_hash is not null
         and ${isEnabled('users')}
         and beginning_of_hash(password_hash) = kind
       limit ${mostCounted + 1}) some_people
   ) counted
   cross join lateral (
     select count(check_password_hash(password_hash))::integer as unusable
     from (
       select password_hash
       from users
       where password_hash is not null
         and ${isEnabled('users')}
         and beginning_of_hash(password_hash) = kind
       limit ${lookedAt}
     ) some_people
   ) looked_at
   where kind is not null
   limit ${mostKinds}`,
);

export function countPasswordKinds(database: Database): Promise<PasswordKind[]> {
  return rows<PasswordKind>(database, countKindsStatement);
}
