with
  forgotten as (
    delete from attempts
    where
      user_id = $1
    returning
      key
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
      forgotten
    limit
      1
  )
select
from
  forgotten
