import type { Trace } from '../../audit/audit.sql.ts';
import type { Connection } from '../../postgres/transaction.ts';
import type { ListedPerson } from './people-file.ts';

// An import is one transaction (asAWhole): it keeps the people of a file in a table, judges how all would be in the end, and stores them.

/** Makes the table, which lasts as long as the transaction. False if another import is running. */
export async function beginImport(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query(
    `select pg_try_advisory_xact_lock(hashtext('latchkey user import')) as is_mine`,
  );
  if (!rows[0].is_mine) return false;
  await connection.query(`create temporary table listed (
    line integer primary key,
    -- the members that the file has, and their values
    given jsonb not null,
    subject text not null,
    user_id integer,
    username text,
    email text,
    email_verified boolean,
    name text,
    password_hash text,
    disabled boolean,
    changes jsonb) on commit drop`);
  return true;
}

export interface ListedLine {
  line: number;
  person: ListedPerson;
}

export async function listPeople(connection: Connection, lines: readonly ListedLine[]): Promise<void> {
  await connection.query(
    `insert into listed (line, given, subject)
     select line, person, person ->> 'subject'
     from jsonb_to_recordset($1) as lines (line integer, person jsonb)`,
    [JSON.stringify(lines)],
  );
}

const stored = (column: string) => `case when given ? '${column}' then given ->> '${column}' else users.${column} end`;

/** `$2y$` is PHP's name of `$2b$`. */
const statedHash = String.raw`regexp_replace(given ->> 'password_hash', '^\$2y', '$2b')`;

/** Finds the account of each person, and what the file changes about it. What the file does not mention stays as it is. */
export async function compareListed(connection: Connection): Promise<void> {
  await connection.query('analyze listed');
  await connection.query(`
    update listed
    set user_id = users.user_id
    from users
    where coalesce(users.subject, users.user_id::text) = listed.subject
      and users.deleted_at is null`);
  await connection.query(
    `
    update listed
    set username = coalesce(given ->> 'username', users.username, case
        when given ->> 'email' is null or given ->> 'email_verified' is distinct from 'false' then given ->> 'email'
        -- it may be somebody else's, who must be able to get it
        else listed.subject end),
      email = ${stored('email')},
      email_verified = case
        when given ? 'email_verified' then coalesce((given ->> 'email_verified')::boolean, true)
        when given ? 'email' and given ->> 'email' is distinct from users.email then true
        else coalesce(users.email_verified, true) end and ${stored('email')} is not null,
      name = ${stored('name')},
      password_hash = ${statedHash},
      -- what an operator has decided since the import before stays, unless the file says something else than then
      disabled = case
        when (given ->> 'disabled')::boolean <> coalesce(users.imported_disabled, false) then (given ->> 'disabled')::boolean
        else users.disabled_at is not null end
    from listed other
    left join users on users.user_id = other.user_id
    where other.line = listed.line`.replaceAll('given', 'listed.given'),
  );
  await connection.query(`
    update listed
    set changes = jsonb_strip_nulls(jsonb_build_object(
      'username', case when users.username is distinct from listed.username then listed.username end,
      'email', case when users.email is distinct from listed.email then coalesce(listed.email, '') end,
      'email_verified', case when users.email_verified is distinct from listed.email_verified then listed.email_verified end,
      'name', case when users.name is distinct from listed.name then coalesce(listed.name, '') end,
      -- the hash of the import before changes nothing: the person may have another password since
      'password_hash', case when listed.password_hash <> coalesce(users.registered_password_bcrypt, '') then 'another one' end,
      'disabled', case
        when (users.disabled_at is not null) is distinct from listed.disabled or users.disabled_there and listed.disabled then listed.disabled end))
    from listed other
    left join users on users.user_id = other.user_id
    where other.line = listed.line`);
  await connection.query(`
    create temporary table listed_names on commit drop as
    select line, user_id, folded_name(username) as name, username as spelling from listed where username is not null
    union
    select line, user_id, folded_name(email), email from listed where email_verified`);
  await connection.query('create index on listed_names (name)');
  await connection.query('analyze listed_names');
}

export interface ListedProblem {
  line: number;
  problem: string;
}

/** The problems of the listed people; `%s` is the source of the import. */
const problems = `
  select line, sentence as problem
  from listed, check_user(username, email, name, subject, password_hash) found
  union all
  select line, format('subject %L is also that of line %s', subject, first)
  from (select line, subject, min(line) over (partition by subject) as first from listed) same
  where line > first
  union all
  select line, format('%L is also a name or address of line %s', spelling, first)
  from (select line, name, spelling, min(line) over (partition by name) as first from listed_names) same
  where line > first
  union all
  select line, format('%L is a name or address of the user %L', spelling, users.username)
  from listed_names
  join sign_in_names known on known.name = listed_names.name
  join users on users.user_id = known.user_id
  where known.user_id is distinct from listed_names.user_id
    and known.name = any (names_of_user(users))
    and not exists (
      select from listed giver
      where giver.user_id = known.user_id
        and not exists (select from listed_names own where own.line = giver.line and own.name = known.name))
  union all
  select line, format('subject %L is the number of a person who was deleted', listed.subject)
  from listed
  join ended_numbers on ended_numbers.number = listed.subject
  where ended_numbers.is_of_row
  union all
  select line, case
    when users.source <> $1 then format('subject %L belongs to an account of the source %L', listed.subject, users.source)
    when users.is_admin then format('subject %L belongs to the administrator %L, whom an import cannot change', listed.subject, users.username)
    else format('subject %L is the number of the user %L, and the username is %L', listed.subject, users.username, listed.username) end
  from listed
  join users on users.user_id = listed.user_id
  where listed.changes <> '{}'
    and (users.source <> $1 or users.is_admin or users.subject is null and folded_name(users.username) <> folded_name(listed.username))`;

/** Finds the first problems in the order of lines, and how many there are. */
export async function findListedProblems(
  connection: Connection,
  source: string,
  limit: number,
): Promise<{ total: number; first: ListedProblem[] }> {
  await connection.query(`create temporary table listed_problems (line integer, problem text) on commit drop`);
  await connection.query(`insert into listed_problems ${problems}`, [source]);
  const { rows } = await connection.query('select line, problem from listed_problems order by line, problem limit $1', [
    limit,
  ]);
  const { rows: counted } = await connection.query('select count(*)::integer as total from listed_problems');
  return { total: counted[0].total, first: rows };
}

export interface ImportCounts {
  created: number;
  updated: number;
  unchanged: number;
}

export async function countListed(connection: Connection): Promise<ImportCounts> {
  const { rows } = await connection.query(`
    select count(*) filter (where user_id is null)::integer as created,
      count(*) filter (where user_id is not null and changes <> '{}')::integer as updated,
      count(*) filter (where user_id is not null and changes = '{}')::integer as unchanged
    from listed`);
  return rows[0];
}

export interface ListedChange {
  line: number;
  action: 'create' | 'update';
  kind: 'user';
  id: string;
  changes: Record<string, unknown>;
}

/** Lists the changes after a line, in the order of lines. */
export async function listChanges(connection: Connection, after: number, limit: number): Promise<ListedChange[]> {
  const { rows } = await connection.query(
    `select line, case when user_id is null then 'create' else 'update' end as action, 'user' as kind, subject as id, changes
     from listed
     where line > $1
       and (user_id is null or changes <> '{}')
     order by line
     limit $2`,
    [after, limit],
  );
  return rows;
}

const hashColumns = String.raw`case when password_hash ~ '^\$2[ab]\$' then password_hash end,
       case when password_hash !~ '^\$2[ab]\$' then password_hash end`;

/** A column, which keeps a value that the file does not change: since the comparison, somebody was disabled, or has another address. */
const changed = (column: string, ...by: string[]) =>
  `case when batch.changes ?| '{${by.join(',')}}' then batch.${column} else users.${column} end`;

/** Whether an import may change the person. */
const isImported = (source: string) => `users.source = ${source}
         and not users.is_admin
         and users.deleted_at is null`;

/**
 * Takes the names and addresses that go from one person of the file to another, so that the order of lines does not matter. Storing
 * gives each their new ones; nobody sees the state between.
 */
export async function releaseListed(connection: Connection, source: string): Promise<void> {
  await connection.query(
    `update users
     set username = case when listed.changes ? 'username' then gen_random_uuid()::text else users.username end,
       email_verified = users.email_verified and not listed.changes ?| '{email,email_verified}'
     from listed
     where users.user_id = listed.user_id
       and ${isImported('$1')}
       and exists (
         select from sign_in_names known
         join listed_names taken on taken.name = known.name and taken.line <> listed.line
         where known.user_id = users.user_id)`,
    [source],
  );
}

/** Keeps what the file says, so that the next import knows whether it says something else. */
export async function rememberListed(connection: Connection, source: string): Promise<void> {
  await connection.query(
    `update users
     set imported_disabled = (listed.given ->> 'disabled')::boolean
     from listed
     where coalesce(users.subject, users.user_id::text) = listed.subject
       and ${isImported('$1')}
       and users.imported_disabled <> (listed.given ->> 'disabled')::boolean`,
    [source],
  );
}

/** Stores the next changes; returns how many, and the last line, until there are none left. */
export async function storeListed(
  connection: Connection,
  { after, limit, source }: { after: number; limit: number; source: string },
): Promise<{ stored: number; last: number }> {
  const { rows } = await connection.query(
    `with batch as (
       select *
       from listed
       where line > $1
         and (user_id is null or changes <> '{}')
       order by line
       limit $2
     ), created as (
       insert into users (subject, source, username, email, email_verified, name, password_bcrypt, password_hash, registered_password_bcrypt, disabled_at)
       select subject, $3, username, email, email_verified, name, ${hashColumns}, password_hash, case when disabled then now() end
       from batch
       where user_id is null
     ), updated as (
       update users
       set username = ${changed('username', 'username')},
         email = ${changed('email', 'email')},
         email_verified = ${changed('email_verified', 'email', 'email_verified')},
         name = ${changed('name', 'name')},
         (password_bcrypt, password_hash, registered_password_bcrypt) = (
           select ${hashColumns.replaceAll('password_hash', 'batch.password_hash')}, batch.password_hash
           where batch.changes ? 'password_hash'
           union all
           select users.password_bcrypt, users.password_hash, users.registered_password_bcrypt
           where not batch.changes ? 'password_hash'),
         disabled_at = case when not batch.changes ? 'disabled' then users.disabled_at
           when batch.disabled then coalesce(users.disabled_at, now()) end,
         disabled_there = users.disabled_there and not batch.changes ? 'disabled'
       from batch
       where users.user_id = batch.user_id
         and ${isImported('$3')}
     )
     select count(*)::integer as stored, coalesce(max(line), $1) as last from batch`,
    [after, limit, source],
  );
  return rows[0];
}

/** Records one event for the file, and one for each person whom it disables or enables. */
export async function registerImport(
  connection: Connection,
  { created, updated }: ImportCounts,
  { request_id }: Trace,
): Promise<void> {
  await connection.query(`insert into audit_events (event, detail, request_id) values ('users_imported', $1, $2)`, [
    `${created} created, ${updated} updated`,
    request_id,
  ]);
  await connection.query(
    `insert into audit_events (event, user_id, detail, request_id)
     select case when disabled then 'user_disabled' else 'user_enabled' end, user_id, 'by an import', $1
     from listed
     where user_id is not null
       and changes ? 'disabled'`,
    [request_id],
  );
}
