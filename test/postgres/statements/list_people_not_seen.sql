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
  deleted_at is null
  and users.disabled_at is null
  and seen_on < current_date - 365
  and (seen_on, user_id) > (
    coalesce(
      (
        select
          seen_on
        from
          users
        where
          user_id = $1
      ),
      '-infinity'
    ),
    $1
  )
order by
  seen_on,
  user_id
limit
  $2
