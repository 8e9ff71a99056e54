(
  select
    'client' as kind,
    client_id as name
    -- with the limit in here, the planner would look for some in the whole table
  from
    (
      select
        client_id
      from
        clients
      where
        scopes @> array[$1]
        and deleted_at is null
      offset
        0
    ) registered
  order by
    client_id
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
