select
  name
from
  providers
where
  global_token_revocation
  and providers.disabled_at is null
limit
  1
