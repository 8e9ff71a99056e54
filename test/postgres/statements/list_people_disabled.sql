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
  -- who signs in has a language from then on
  case
    when users.language is not null then users.seen_on at time zone 'UTC'
  end as last_day
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
