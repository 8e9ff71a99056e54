select
  resource,
  scopes,
  token_format
from
  resources
where
  resource = any ($1)
  and disabled_at is null
