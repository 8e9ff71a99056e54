select
  name,
  scope
from
  claims
where
  claims.disabled_at is null
order by
  name
