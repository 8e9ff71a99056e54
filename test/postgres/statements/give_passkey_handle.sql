update users
set
  passkey_handle = coalesce(passkey_handle, $2)
where
  user_id = $1
  and users.disabled_at is null
  and users.source = 'here'
returning
  passkey_handle
