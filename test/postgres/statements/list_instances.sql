select
  host,
  pid,
  version,
  started_at
from
  instances
where
  seen_at > now() - interval '1 minute'
order by
  host,
  pid
limit
  200
