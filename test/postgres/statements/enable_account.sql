with
  enabled as (
    update users
    set
      disabled_at = null,
      disabled_there = false
    where
      user_id = $1
      and deleted_at is null
      and not (users.disabled_at is null)
    returning
      user_id
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
      enabled
    limit
      1
  )
select
  user_id
from
  enabled
