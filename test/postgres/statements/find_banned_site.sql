select
  site_domain
from
  banned_sites
where
  site_domain = any ($1)
limit
  1
