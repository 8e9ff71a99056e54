with
  rotated as (
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
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $4::text,
      coalesce($5::integer, null),
      $6::text,
      coalesce($7::text, null),
      $8,
      $9,
      acting_administrator ($10::bytea)
    from
      rotated
    limit
      1
  )
select
  client_id
from
  rotated
