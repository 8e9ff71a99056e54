select
  resource,
  scopes,
  token_format
from
  resources
where
  client_id = $1
  and resources.disabled_at is null
order by
  resource
limit
  100
