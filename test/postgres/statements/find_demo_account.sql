select
  coalesce(password_hash, password_bcrypt) as password_hash
from
  users
where
  username = $1
  and is_demo
