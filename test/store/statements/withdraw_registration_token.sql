update self_registrations
set
  token_sha256 = null
where
  token_sha256 = $1
returning
  client_id
