select
  name,
  title,
  client_secret is not null as is_unsealed
from
  providers
where
  providers.disabled_at is null
order by
  created_at,
  name
limit
  20
