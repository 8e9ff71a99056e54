select
  passkeys.user_id,
  users.passkey_handle,
  passkeys.public_key,
  passkeys.user_verified,
  passkeys.backup_eligible,
  (
    users.disabled_at is null
    and users.source = 'here'
  ) as is_open
from
  passkeys
  join users on users.user_id = passkeys.user_id
where
  passkeys.credential_id = $1
