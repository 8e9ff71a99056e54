select
  reltuples::float8 as names
from
  pg_class
where
  oid = 'sign_in_names'::regclass
