update authorization_codes code
set
  revoked_at = now()
where
  code_id = $1
  and code.revoked_at is null
  and (
    $2 = 'family'
    or code.redeemed_at is null
  )
returning
  code_id
