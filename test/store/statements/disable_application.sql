update clients
set
  disabled_at = least(disabled_at, now()),
  disabled_by_owner = owner_id is not distinct from $2
where
  client_id = $1
  and (
    clients.disabled_at is null
    or (
      disabled_by_owner
      and owner_id is distinct from $2
    )
  )
returning
  client_id
