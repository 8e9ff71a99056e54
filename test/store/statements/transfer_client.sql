update clients
set
  owner_id = users.user_id
from
  users
where
  clients.client_id = $1
  and clients.deleted_at is null
  and users.user_id = $2
  and users.disabled_at is null
returning
  clients.client_id
