select
  client_id
from
  clients
where
  client_id = $1
  and $2 = any (secrets_sha256)
  and clients.disabled_at is null
