select
  secret_sha256,
  last_used_at,
  last_used_at > now() - interval '30 days' as is_in_use
from
  client_secret_uses
where
  client_id = $1
  and secret_sha256 = any ($2)
