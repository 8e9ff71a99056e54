with
  tried as (
    select
      register_scope (name => $1, sentence => $2, group_name => $3, changes => $4) as name
    from
      set_config('latchkey.adds_new', 'yes', true)
    where
      not exists (
        select
        from
          scopes
        where
          name = $1
      )
  ),
  registered as (
    select
      name
    from
      tried
    where
      name is not null
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
      registered
    limit
      1
  )
select
  name
from
  registered
