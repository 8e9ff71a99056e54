select
  user_id
from
  users
where
  user_id = $1
  and coalesce(password_hash, password_bcrypt) is not null
