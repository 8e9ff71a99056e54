select
  resource,
  scopes,
  client_id,
  token_format
from
  resources
where
  resource > $1
order by
  resource
limit
  $2
