update clients
set
  disabled_at = now(),
  disabled_by_owner = true
where
  client_id = $1
  and owner_id = $2
  and clients.disabled_at is null
returning
  client_id
