select
  resource,
  scopes,
  token_format
from
  resources
order by
  resource
limit
  100
