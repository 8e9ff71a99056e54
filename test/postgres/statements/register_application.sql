with
  ticket as (
    insert into
      used_tickets (ticket_sha256)
    values
      ($2)
    on conflict do nothing
    returning
      ticket_sha256
  ),
  tried as (
    select
      keep_client ($1, 'console') as client_id
    from
      ticket
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
