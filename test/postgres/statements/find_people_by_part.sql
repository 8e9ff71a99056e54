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
  users.seen_on at time zone 'UTC' as last_day,
  counted.candidates
from
  (
    select
      count(*)::integer as candidates
    from
      candidates
  ) counted
  left join (
    select distinct
      user_id
    from
      (
        select
          user_id
        from
          candidates
        where
          strpos(name, folded_name ($1)) > 0
        limit
          2 * $2
      ) fitting
  ) named on true
  left join users on users.user_id = named.user_id
  and users.deleted_at is null
order by
  users.username
limit
  $2
