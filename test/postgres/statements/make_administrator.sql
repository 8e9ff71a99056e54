with
  administrators as (
    select
      user_id,
      is_admin
      and users.disabled_at is null as administers
    from
      users
    where
      not $2
      and (
        user_id = $1
        or is_admin
        and users.disabled_at is null
      )
    order by
      user_id
    for no key update
  ),
  changed as (
    update users
    set
      is_admin = $2
    where
      user_id = $1
      and deleted_at is null
      and is_admin <> $2
      and (
        $2
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
      changed
    limit
      1
  )
select
  user_id
from
  changed
