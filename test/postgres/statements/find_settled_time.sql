select
  greatest(now() - interval '10 minutes', least(now() - interval '10 seconds', min(xact_start))) as settled_until
from
  pg_stat_activity
where
  datname = current_database()
  and backend_xid is not null
