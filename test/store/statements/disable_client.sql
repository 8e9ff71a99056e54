with
  taken as (
    update seeded_rows
    set
      pruned_at = null
    where
      client_id = $1
      and pruned_at is not null
    returning
      key
  )
update clients
set
  disabled_at = least(disabled_at, now()),
  disabled_by_owner = false
where
  client_id = $1
  and deleted_at is null
  and (
    clients.disabled_at is null
    or disabled_by_owner
    or exists (
      select
      from
        taken
    )
  )
returning
  client_id
