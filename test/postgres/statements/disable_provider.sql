with
  taken as (
    update seeded_rows
    set
      pruned_at = null
    where
      kind = 'provider'
      and key = $1
      and pruned_at is not null
    returning
      key
  ),
  disabled as (
    update providers
    set
      disabled_at = coalesce(disabled_at, now())
    where
      name = $1
      and (
        providers.disabled_at is null
        or exists (
          select
          from
            taken
        )
      )
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
      disabled
    limit
      1
  )
select
  name
from
  disabled
