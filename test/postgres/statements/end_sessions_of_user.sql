with
  noted as (
    update users
    set
      sessions_ended_at = clock_timestamp()
    where
      user_id = $1
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
      acting_administrator ($8::bytea)
    from
      ended
    limit
      1
  )
select
  count(*)::integer as sessions
from
  ended
