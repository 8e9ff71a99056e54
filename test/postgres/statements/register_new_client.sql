with
  tried as (
    select
      keep_client ($1, 'command') as client_id
    where
      not exists (
        select
        from
          clients
        where
          client_id = $1::jsonb ->> 'client_id'
          and deleted_at is null
      )
  ),
  registered as (
    select
      client_id
    from
      tried
    where
      client_id is not null
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
      registered
    limit
      1
  )
select
  client_id
from
  registered
