update clients
set
  deleted_at = now(),
  disabled_at = least(disabled_at, now()),
  owner_id = null
where
  client_id = $1
  and deleted_at is null
returning
  client_id
