with
  tried as (
    select
      register_user (username => $1, password_hash => $2, is_admin => $3, name => $4, email => $5) as user_id
    from
      set_config('latchkey.adds_new', 'yes', true)
  ),
  registered as (
    select
      user_id
    from
      tried
    where
      user_id is not null
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $6::text,
      coalesce($7::integer, user_id),
      $8::text,
      coalesce($9::text, null),
      $10,
      $11,
      acting_administrator ($12::bytea)
    from
      registered
    limit
      1
  )
select
  user_id
from
  registered
