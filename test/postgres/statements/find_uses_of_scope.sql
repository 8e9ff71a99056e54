(
  select
    'client' as kind,
    client_id as name
  from
    clients_with_scope ($1, 5) client_id
  order by
    client_id
)
union all
(
  select
    'resource',
    resource
  from
    resources
  where
    resources.scopes @> array[$1]
  order by
    resource
  limit
    5
)
union all
(
  select
    'claim',
    claims.name
  from
    claims
  where
    claims.scope = $1
  order by
    claims.name
  limit
    5
)
union all
(
  select
    'choice',
    choices.name
  from
    choices
  where
    choices.scopes @> array[$1]
  order by
    choices.name
  limit
    5
)
