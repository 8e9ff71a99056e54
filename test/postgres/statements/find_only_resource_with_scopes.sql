select
  min(resource) as resource
from
  (
    select
      resource
    from
      resources
    where
      scopes @> $1
      and resources.disabled_at is null
    limit
      2
  ) found
having
  count(*) = 1
