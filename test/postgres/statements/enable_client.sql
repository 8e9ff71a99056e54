with
  enabled as (
    update clients
    set
      disabled_at = null,
      disabled_by_owner = false
    where
      client_id = $1
      and (
        disabled_by_owner
        or (
          $2
          and not (clients.disabled_at is null)
        )
      )
      and deleted_at is null
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
      enabled
    limit
      1
  )
select
  client_id
from
  enabled
