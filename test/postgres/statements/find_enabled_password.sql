select
  coalesce(password_hash, password_bcrypt) as hash
from
  users
where
  username = $1
  and users.disabled_at is null
