with
  enabled as (
    update providers
    set
      disabled_at = null
    where
      name = $1
      and not (providers.disabled_at is null)
    returning
      name
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
  name
from
  enabled
