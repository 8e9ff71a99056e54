with
  taken as (
    update seeded_rows
    set
      pruned_at = null
    where
      client_id = $1
      and pruned_at is not null
    returning
      key
  ),
  disabled as (
    update clients
    set
      disabled_at = least(disabled_at, now()),
      disabled_by_owner = false
    where
      client_id = $1
      and deleted_at is null
      and (
        clients.disabled_at is null
        or disabled_by_owner
        or exists (
          select
          from
            taken
        )
      )
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
      disabled
    limit
      1
  )
select
  client_id
from
  disabled
