select
  scopes.name,
  group_name,
  scopes.sentence,
  scopes.sentences,
  coalesce(changes, scopes.name ~ ':write$') as changes,
  seeded_rows.seed,
  array(
    select
      used.name
    from
      (
        (
          select
            'client' as kind,
            client_id as name
          from
            clients_with_scope (scopes.name, 3) client_id
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
            resources.scopes @> array[scopes.name]
          order by
            resource
          limit
            3
        )
        union all
        (
          select
            'claim',
            claims.name
          from
            claims
          where
            claims.scope = scopes.name
          order by
            claims.name
          limit
            3
        )
        union all
        (
          select
            'choice',
            choices.name
          from
            choices
          where
            choices.scopes @> array[scopes.name]
          order by
            choices.name
          limit
            3
        )
      ) used
    limit
      3
  ) as used_by
from
  (
    select
      *
    from
      scopes
    where
      name > $1
    order by
      name
    limit
      $2
  ) scopes
  left join seeded_rows on seeded_rows.kind = 'scope'
  and seeded_rows.key = scopes.name
order by
  scopes.name
