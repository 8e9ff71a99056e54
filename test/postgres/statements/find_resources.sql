select
  resource,
  scopes,
  token_format
from
  resources
where
  resource = any ($1)
  and resources.disabled_at is null
