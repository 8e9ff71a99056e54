select
  coalesce(subject, user_id::text) as subject
from
  users
where
  source = 'view'
  and not is_admin
  and users.disabled_at is null
order by
  random()
limit
  $1
