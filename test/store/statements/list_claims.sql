select
  name,
  scope
from
  claims
order by
  name
