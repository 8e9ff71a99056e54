select
  name,
  scope
from
  claims
where
  disabled_at is null
order by
  name
