with recursive
  kinds as (
    (
      select
        beginning_of_hash (password_hash) as kind
      from
        users
      where
        password_hash is not null
        and users.disabled_at is null
      order by
        1
      limit
        1
    )
    union all
    select
      (
        select
          beginning_of_hash (password_hash)
        from
          users
        where
          password_hash is not null
          and users.disabled_at is null
          and beginning_of_hash (password_hash) > kinds.kind
        order by
          1
        limit
          1
      )
    from
      kinds
    where
      kinds.kind is not null
  )
select
  kind,
  counted.people,
  looked_at.unusable
from
  kinds
  cross join lateral (
    select
      count(*)::integer as people
    from
      (
        select
        from
          users
        where
          password_hash is not null
          and users.disabled_at is null
          and beginning_of_hash (password_hash) = kind
        limit
          10001
      ) some_people
  ) counted
  cross join lateral (
    select
      count(check_password_hash (password_hash))::integer as unusable
    from
      (
        select
          password_hash
        from
          users
        where
          password_hash is not null
          and users.disabled_at is null
          and beginning_of_hash (password_hash) = kind
        limit
          100
      ) some_people
  ) looked_at
where
  kind is not null
limit
  50
