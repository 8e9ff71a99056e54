select
  password_bcrypt
from
  users
where
  username = $1
  and is_demo
