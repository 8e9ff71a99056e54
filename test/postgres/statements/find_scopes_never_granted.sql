select
  client_id,
  array(
    select
      scope
    from
      unnest(clients.scopes) scope
    where
      scope <> all (granted.scopes)
  ) as scopes
from
  (
    select
      *
    from
      clients
    where
      clients.disabled_at is null
    order by
      created_at at time zone 'UTC' desc,
      client_id desc
    limit
      1000
  ) clients
  cross join lateral (
    select
      array_agg(distinct scope) as scopes
    from
      (
        select
          grants.scopes
        from
          grants
        where
          grants.client_id = clients.client_id
        limit
          200
      ) some_grants,
      unnest(some_grants.scopes) scope
  ) granted
where
  granted.scopes is not null
  and not clients.scopes <@ granted.scopes
limit
  20
