select
from
  pg_stat_activity
where
  pid = $1
  and state = 'active'
