with
  registered as (
    select
      keep_client (without_foreign_links ($1), 'application') as client_id
  ),
  kept as (
    insert into
      self_registrations (client_id, token_sha256)
    select
      client_id,
      $2
    from
      registered
    returning
      client_id
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
      kept
    limit
      1
  )
select
  client_id
from
  kept
