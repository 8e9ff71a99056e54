with
  changed as (
    update clients
    set
      owner_id = users.user_id
    from
      users
    where
      clients.client_id = $1
      and clients.deleted_at is null
      and clients.owner_id is distinct from users.user_id
      and users.user_id = $2
      and users.disabled_at is null
    returning
      clients.client_id
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
      changed
    limit
      1
  )
select
  client_id
from
  changed
