update users
set
  disabled_at = now()
where
  username = $1
returning
  user_id
