with
  own as (
    select
      client_id,
      has_fixed_scopes
    from
      clients
    where
      client_id = $1
      and only_for = $2
      and deleted_at is null
      and jsonb_build_object('name', name, 'redirect_uris', redirect_uris, 'scopes', scopes) = $4
    for update
  ),
  saved as (
    select
      save_client (client_id, $3 || jsonb_build_object('has_fixed_scopes', has_fixed_scopes), by_admin => false) as is_changed
    from
      own
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $5::text,
      coalesce($6::integer, null),
      $7::text,
      coalesce($8::text, null),
      $9,
      $10,
      acting_administrator ($11::bytea)
    from
      (
        select
        from
          saved
        where
          is_changed
      ) changed
    limit
      1
  )
select
  is_changed
from
  saved
