with
  administrators as (
    select
      user_id
    from
      users
    where
      is_admin
      and users.disabled_at is null
    order by
      user_id
    for no key update
  ),
  taken as (
    update seeded_rows
    set
      pruned_at = null
    where
      user_id = $1
      and pruned_at is not null
    returning
      key
  )
update users
set
  disabled_at = coalesce(disabled_at, now()),
  disabled_there = false
where
  user_id = $1
  and deleted_at is null
  and (
    users.disabled_at is null
    or disabled_there
    or exists (
      select
      from
        taken
    )
  )
  and (
    not $2
    or (
      not is_admin
      or disabled_at is not null
      or exists (
        select
        from
          administrators
        where
          administrators.user_id <> $1
      )
    )
  )
returning
  user_id
