select
  user_id
from
  users
where
  deleted_at is null
limit
  1
