select
  resource,
  scopes,
  client_id,
  token_format,
  disabled_at is not null as disabled
from
  resources
where
  resource = $1
