select
  coalesce(users.subject, users.user_id::text) as sub
from
  users
where
  deleted_at is null
order by
  user_id desc
limit
  3
