select
  user_id,
  coalesce(subject, user_id::text) as subject
from
  users
where
  source = 'view'
  and user_id > $1
  and deleted_at is null
order by
  user_id
limit
  $2
