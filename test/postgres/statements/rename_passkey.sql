update passkeys
set
  name = $3
where
  user_id = $1
  and credential_id = $2
returning
  user_id
