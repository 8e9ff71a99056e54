update users
set
  password_bcrypt = $3
where
  user_id = $1
  and password_bcrypt = $2
returning
  user_id
