update grants
set
  revoked_at = now()
where
  user_id = $1
  and client_id = $2
  and revoked_at is null
  and expires_at <= now()
