with
  candidates as materialized (
    select
      name,
      user_id
    from
      sign_in_names
    where
      threes_of (name) @> $3::text[]
    limit
      500
  )
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
  end as last_day,
  counted.candidates
from
  (
    select
      count(*)::integer as candidates
    from
      candidates
  ) counted
  left join (
    select
      user_id,
      min(name) as name
    from
      candidates
    where
      strpos(name, folded_name ($1)) > 0
    group by
      user_id
    order by
      min(name)
    limit
      $2
  ) named on true
  left join users on users.user_id = named.user_id
  and users.deleted_at is null
order by
  named.name
