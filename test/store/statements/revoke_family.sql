update authorization_codes code
set
  revoked_at = now()
where
  code_id = $1
  and (
    code.revoked_at is null
    or code.revoked_at = 'infinity'
  )
returning
  code_id
