select
  user_id,
  username,
  name,
  email,
  email_verified,
  is_admin,
  created_at,
  disabled_at
from
  users
where
  username = $1
