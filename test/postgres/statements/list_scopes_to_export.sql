select
  name as key,
  to_jsonb(scopes) - 'position' as columns
from
  scopes
order by
  position
limit
  10000
