with
  ended as (
    delete from sessions
    where
      user_id = $1
    returning
      user_id
  ),
  noted as (
    update users
    set
      sessions_ended_at = clock_timestamp()
    where
      user_id = $1
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
