update authorization_codes code
set
  revoked_at = now()
where
  code_id = $1
  and code.revoked_at is null
returning
  code_id
