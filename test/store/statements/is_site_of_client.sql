select
  1
from
  clients
where
  site_domain = any ($1)
  and vouched
  and (
    clients.disabled_at is null
    or clients.disabled_at = 'infinity'
  )
limit
  1
