with
  deleted as (
    update clients
    set
      deleted_at = now(),
      disabled_at = least(disabled_at, now())
    where
      client_id = $1
      and only_for = $2
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
      deleted
    limit
      1
  )
select
  client_id
from
  deleted
