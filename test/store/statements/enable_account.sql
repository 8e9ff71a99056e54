update users
set
  disabled_at = null,
  disabled_there = false
where
  user_id = $1
  and deleted_at is null
  and not (users.disabled_at is null)
returning
  user_id
