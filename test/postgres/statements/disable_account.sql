with
  administrators as (
    select
      user_id,
      is_admin
      and users.disabled_at is null as administers
    from
      users
    where
      $2
      and (
        user_id = $1
        or is_admin
        and users.disabled_at is null
      )
    order by
      user_id
    for no key update
  ),
  taken as (
    update seeded_rows
    set
      pruned_at = null
    where
      user_id = $1
      and pruned_at is not null
    returning
      key
  ),
  disabled as (
    update users
    set
      disabled_at = coalesce(disabled_at, now()),
      disabled_there = false
    where
      user_id = $1
      and deleted_at is null
      and (
        users.disabled_at is null
        or disabled_there
        or exists (
          select
          from
            taken
        )
      )
      and (
        not $2
        or exists (
          select
          from
            administrators
          where
            administers <> (administrators.user_id = $1)
        )
      )
    returning
      user_id
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
      disabled
    limit
      1
  )
select
  user_id
from
  disabled
