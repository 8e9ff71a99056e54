with
  registered as (
    select
      client_id
    from
      register_developer_document ($1, $2) client_id
    where
      client_id is not null
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
      registered
    limit
      1
  )
select
  client_id
from
  registered
