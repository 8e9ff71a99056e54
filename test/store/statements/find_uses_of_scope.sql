(
  select
    'client' as kind,
    client_id as name
  from
    clients
  where
    scopes @> array[$1]
    and deleted_at is null
  limit
    5
)
union all
(
  select
    'resource',
    resource
  from
    resources
  where
    scopes @> array[$1]
  limit
    5
)
union all
(
  select
    'claim',
    name
  from
    claims
  where
    scope = $1
  limit
    5
)
