update users
set
  password_bcrypt = $2
where
  username = $1
returning
  user_id
