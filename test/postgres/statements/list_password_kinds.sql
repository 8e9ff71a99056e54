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
  kind
from
  kinds
where
  kind is not null
limit
  50
