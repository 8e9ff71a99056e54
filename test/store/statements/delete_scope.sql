with
  deleted as (
    delete from scopes
    where
      name = $1
      and name <> all ($2)
      and not exists (
        select
        from
          clients_with_scope ($1, 1)
      )
      and not exists (
        select
        from
          resources
        where
          resources.scopes @> array[$1]
      )
      and not exists (
        select
        from
          claims
        where
          claims.scope = $1
      )
    returning
      name,
      group_name
  ),
  deleted_group as (
    delete from scope_groups using deleted
    where
      scope_groups.name = deleted.group_name
      and not exists (
        select
        from
          scopes
        where
          scopes.group_name = deleted.group_name
          and scopes.name <> deleted.name
      )
  )
select
  name
from
  deleted
