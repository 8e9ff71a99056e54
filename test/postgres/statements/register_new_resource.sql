with
  tried as (
    select
      register_resource (resource => $1, scopes => $2, client_id => $3, token_format => $4) as resource
    from
      set_config('latchkey.adds_new', 'yes', true)
    where
      not exists (
        select
        from
          resources
        where
          resource = any ($5)
      )
  ),
  registered as (
    select
      resource
    from
      tried
    where
      resource is not null
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $6::text,
      coalesce($7::integer, null),
      $8::text,
      coalesce($9::text, resource),
      $10,
      $11,
      acting_administrator ($12::bytea)
    from
      registered
    limit
      1
  )
select
  resource
from
  registered
