select
  users.user_id,
  coalesce(users.subject, users.user_id::text) as sub,
  users.source,
  users.username,
  users.name,
  users.email,
  users.email_verified,
  users.is_admin,
  users.created_at,
  users.disabled_at,
  users.seen_on at time zone 'UTC' as last_day
from
  users
where
  disabled_at is not null
  and deleted_at is null
  and user_id < $1
order by
  user_id desc
limit
  $2
