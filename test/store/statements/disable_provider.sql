with
  taken as (
    update seeded_rows
    set
      pruned_at = null
    where
      kind = 'provider'
      and key = $1
      and pruned_at is not null
    returning
      key
  )
update providers
set
  disabled_at = coalesce(disabled_at, now())
where
  name = $1
  and (
    providers.disabled_at is null
    or exists (
      select
      from
        taken
    )
  )
returning
  name
