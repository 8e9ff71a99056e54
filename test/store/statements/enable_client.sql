update clients
set
  disabled_at = null,
  disabled_by_owner = false
where
  client_id = $1
  and (
    disabled_by_owner
    or (
      $2
      and not (clients.disabled_at is null)
    )
  )
  and deleted_at is null
returning
  client_id
