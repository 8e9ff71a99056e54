select
  case
    when deleted_at is not null then 'deleted_already'
    when is_admin
    and users.disabled_at is null
    and not exists (
      select
      from
        (
          select
            user_id
          from
            users
          where
            is_admin
            and users.disabled_at is null
        ) administrators
      where
        administrators.user_id <> $1
    ) then 'last_administrator'
  end as obstacle
from
  users
where
  user_id = $1
