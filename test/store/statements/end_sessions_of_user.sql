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
  noted as (
    update users
    set
      sessions_ended_at = clock_timestamp()
    where
      user_id = $1
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
  ended as (
    delete from sessions using noted
    where
      sessions.user_id = noted.user_id
    returning
      sessions.user_id
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
      ended
    limit
      1
  )
select
  count(*)::integer as sessions
from
  ended
