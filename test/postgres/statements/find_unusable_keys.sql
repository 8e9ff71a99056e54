select
  clients.client_id,
  broken.field,
  broken.sentence as problem
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
  cross join check_client_security (to_jsonb(clients)) broken
where
  broken.field in ('jwks', 'jwks_uri')
limit
  20
