select
  user_id,
  coalesce(users.subject, users.user_id::text) as subject,
  username,
  email,
  email_verified,
  name,
  coalesce(password_hash, password_bcrypt) as password_hash,
  disabled_at is not null as disabled
from
  users
where
  user_id > $1
  and deleted_at is null
order by
  user_id
limit
  $2
