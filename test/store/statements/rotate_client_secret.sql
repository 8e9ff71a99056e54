update clients
set
  secrets_sha256 = $2::bytea || secrets_sha256[1:$3],
  secrets_since = now() || secrets_since[1:$3]
where
  client_id = $1
  and cardinality(secrets_sha256) > 0
  and deleted_at is null
returning
  client_id
