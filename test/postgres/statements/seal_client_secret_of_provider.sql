update providers
set
  sealed_client_secret = $3,
  client_secret = null
where
  name = $1
  and client_secret is not distinct from $2
  and sealed_client_secret is not distinct from $4
