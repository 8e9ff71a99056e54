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
  (
    select
      user_id,
      min(name) as name
    from
      sign_in_names tablesample system ($3::real) repeatable (0)
    where
      strpos(name, folded_name ($1)) > 0
    group by
      user_id
    order by
      min(name)
    limit
      $2
  ) found
  join users on users.user_id = found.user_id
where
  users.deleted_at is null
order by
  found.name
