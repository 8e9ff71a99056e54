update totp_factors
set
  last_step = $2,
  secret = $3
where
  user_id = $1
  and last_step < $2
returning
  user_id
