update clients
set
  deleted_at = now(),
  disabled_at = now(),
  owner_id = null
from
  self_registrations
where
  clients.client_id = $1
  and self_registrations.client_id = $1
  and self_registrations.token_sha256 = $2
  and clients.disabled_at is null
returning
  clients.client_id
