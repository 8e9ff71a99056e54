select
  password_bcrypt
from
  users
where
  username = $1
  and users.disabled_at is null
