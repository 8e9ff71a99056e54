update users
set
  is_demo = false
where
  username = $1
  and is_demo
  and password_bcrypt = $2
