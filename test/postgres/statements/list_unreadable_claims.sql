select
  claims.name
from
  claims
  left join pg_proc defined on defined.proname = 'claim ' || claims.name
  and defined.pronamespace = current_schema()::regnamespace
  and pg_get_userbyid(defined.proowner) = 'latchkey_reader'
where
  defined.oid is null
order by
  claims.name
