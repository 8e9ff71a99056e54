select
  site_domain as key
from
  banned_sites
where
  site_domain > $1
order by
  site_domain
limit
  $2
