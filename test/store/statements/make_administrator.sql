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
  )
update users
set
  is_admin = $2
where
  user_id = $1
  and deleted_at is null
  and is_admin <> $2
  and (
    $2
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
