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
  (
    select distinct
      user_id
    from
      (
        select
          user_id
        from
          sign_in_names tablesample system ($3::real)
        where
          true
          and strpos(name, folded_name ($1)) > 0
          -- a person has two names at most
        limit
          2 * $2
      ) named
  ) found
  join users on users.user_id = found.user_id
where
  users.deleted_at is null
order by
  users.username
limit
  $2
