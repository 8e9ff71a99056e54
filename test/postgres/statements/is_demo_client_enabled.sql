select
  client_id
from
  clients
where
  client_id = $1
  and is_demo
  and clients.disabled_at is null
