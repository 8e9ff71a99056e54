update users
set
  disabled_at = null,
  disabled_there = false
where
  username = $1
returning
  user_id
