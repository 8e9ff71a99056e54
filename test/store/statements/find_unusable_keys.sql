select
  client_id,
  problem[2] as problem
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
  cross join check_jwks (jwks, profile) problem
where
  problem is not null
limit
  20
