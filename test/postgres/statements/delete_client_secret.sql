with
  deleted as (
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
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $3::text,
      coalesce($4::integer, null),
      $5::text,
      coalesce($6::text, null),
      $7,
      $8,
      acting_administrator ($9::bytea)
    from
      deleted
    limit
      1
  )
select
  client_id
from
  deleted
