update users
set
  is_demo = false
where
  username = $1
  and is_demo
  and coalesce(password_hash, password_bcrypt) is not distinct from $2
