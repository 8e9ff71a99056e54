select
  resource as key,
  resource,
  scopes,
  client_id,
  token_format
from
  resources
where
  resource > $1
  and resources.disabled_at is null
order by
  resource
limit
  $2
