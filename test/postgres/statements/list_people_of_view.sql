select
  user_id,
  coalesce(subject, user_id::text) as subject,
  users.disabled_at is null as is_enabled,
  gone_there
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
