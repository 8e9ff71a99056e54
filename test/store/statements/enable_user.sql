update users
set
  disabled_at = null
where
  username = $1
returning
  user_id
