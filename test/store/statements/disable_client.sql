update clients
set
  disabled_at = now(),
  disabled_by_owner = false
where
  client_id = $1
  and deleted_at is null
returning
  client_id
