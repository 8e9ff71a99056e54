select
  passkey_handle
from
  users
where
  user_id = $1
  and passkey_handle is not null
