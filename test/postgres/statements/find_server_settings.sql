select
  current_database() as name,
  current_setting('server_encoding') as encoding,
  current_setting('fsync')::boolean as fsync,
  current_setting('full_page_writes')::boolean as full_page_writes,
  current_setting('synchronous_commit') as synchronous_commit,
  case
    when rolsuper then current_setting('max_connections')::integer
    else least(
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer - coalesce(current_setting('reserved_connections', true)::integer, 0),
      nullif(rolconnlimit, -1),
      nullif(datconnlimit, -1)
    )
  end as connections,
  (
    extract(
      epoch
      from
        clock_timestamp()
    ) * 1000
  )::double precision as clock
from
  pg_roles,
  pg_database
where
  rolname = current_user
  and datname = current_database()
