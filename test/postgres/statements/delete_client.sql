with
  deleted as (
    update clients
    set
      deleted_at = now(),
      disabled_at = least(disabled_at, now()),
      owner_id = null
    where
      client_id = $1
      and deleted_at is null
    returning
      client_id
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $2::text,
      coalesce($3::integer, null),
      $4::text,
      coalesce($5::text, null),
      $6,
      $7,
      acting_administrator ($8::bytea)
    from
      deleted
    limit
      1
  )
select
  client_id
from
  deleted
