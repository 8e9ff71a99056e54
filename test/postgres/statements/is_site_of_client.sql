select
  1
from
  clients
where
  site_domain = any ($1)
  and vouched
  and clients.disabled_at is null
limit
  1
