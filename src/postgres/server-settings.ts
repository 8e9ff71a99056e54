import { type Database, row, sql } from './database.ts';

/** What the server of the database does with every statement, as it applies to this database and role. */
export interface ServerSettings {
  name: string;
  encoding: string;
  fsync: boolean;
  full_page_writes: boolean;
  synchronous_commit: string;
  /** how many connections this role can open in this database; those of other databases and instances count, too */
  connections: number;
  /** the time of its clock when it answered, in milliseconds */
  clock: number;
}

// least() ignores null; limits of a role or a database do not apply to a superuser, but reserved connections do not either
const settingsStatement = sql(
  'find_server_settings',
  `select current_database() as name,
     current_setting('server_encoding') as encoding,
     current_setting('fsync')::boolean as fsync,
     current_setting('full_page_writes')::boolean as full_page_writes,
     current_setting('synchronous_commit') as synchronous_commit,
     case when rolsuper then current_setting('max_connections')::integer else least(
       current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
         - coalesce(current_setting('reserved_connections', true)::integer, 0),
       nullif(rolconnlimit, -1), nullif(datconnlimit, -1)) end as connections,
     (extract(epoch from clock_timestamp()) * 1000)::double precision as clock
   from pg_roles, pg_database
   where rolname = current_user
     and datname = current_database()`,
);

export async function findServerSettings(database: Database): Promise<ServerSettings> {
  const settings = await row<ServerSettings>(database, settingsStatement);
  if (!settings) throw new Error('the database has no settings');
  return settings;
}
