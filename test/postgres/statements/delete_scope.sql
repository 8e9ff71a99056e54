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
      and not exists (
        select
        from
          choices
        where
          choices.scopes @> array[$1]
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
  ),
  recorded_event as (
    insert into
      audit_events (event, user_id, client_id, detail, request_id, address, by_user_id)
    select
      $3::text,
      coalesce($4::integer, null),
      $5::text,
      coalesce($6::text, null),
      $7,
      $8,
      acting_administrator ($9::bytea)
    from
      deleted
    limit
      1
  )
select
  name
from
  deleted
