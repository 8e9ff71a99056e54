with
  administrators as (
    select
      user_id,
      coalesce(sessions_ended_at between now() and clock_timestamp(), false) as is_signed_out
    from
      users
    where
      is_admin
      and users.disabled_at is null
    order by
      user_id
    for no key update
  ),
  enabled as (
    update users
    set
      disabled_at = null,
      disabled_there = false
    where
      user_id = $1
      and deleted_at is null
      and not (users.disabled_at is null)
      and (
        $8::integer is null
        or exists (
          select
          from
            administrators
          where
            administrators.user_id = $8
            and not is_signed_out
        )
      )
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
      $8::integer
    from
      enabled
    limit
      1
  )
select
  user_id
from
  enabled
