with
  disabled as (
    update clients
    set
      disabled_at = now(),
      disabled_by_owner = true
    where
      client_id = $1
      and is_demo
      and clients.disabled_at is null
  )
update users
set
  is_admin = false
where
  username = $2
  and is_demo
returning
  coalesce(password_hash, password_bcrypt) as password_hash,
  disabled_at
