select
  resource,
  scopes,
  client_id,
  token_format,
  disabled_at
from
  resources
where
  resource = $1
