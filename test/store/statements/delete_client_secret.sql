update clients
set
  secrets_sha256 = array_remove(secrets_sha256, $2),
  secrets_since = array(
    select
      since
    from
      unnest(secrets_sha256, secrets_since) with ordinality secret (digest, since, position)
    where
      digest <> $2
    order by
      position
  )
where
  client_id = $1
  and cardinality(secrets_sha256) = 2
  and $2 = any (secrets_sha256)
returning
  client_id
