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
  found.rank = 0 as is_whole
from
  (
    select
      user_id,
      min(rank) as rank
    from
      (
        (
          select
            user_id,
            0 as rank
          from
            users
          where
            username = $1
            or coalesce(subject, user_id::text) = $1
        )
        union all
        (
          select
            user_id,
            0
          from
            sign_in_names
          where
            name = folded_name ($1)
        )
        union all
        (
          select
            user_id,
            1
          from
            sign_in_names
          where
            name ~>=~ folded_name ($1)
            and name ~<~ (folded_name ($1) || chr(1114111))
          order by
            name using ~<~
          limit
            2 * $2
        )
        union all
        (
          select
            user_id,
            1
          from
            users
          where
            lower(email collate "C") ~>=~ lower($1 collate "C")
            and lower(email collate "C") ~<~ (lower($1 collate "C") || chr(1114111))
            and not email_verified
            and email is not null
          limit
            $2
        )
        union all
        (
          select
            user_id,
            1
          from
            users
          where
            lower(pending_email collate "C") ~>=~ lower($1 collate "C")
            and lower(pending_email collate "C") ~<~ (lower($1 collate "C") || chr(1114111))
            and pending_email is not null
          limit
            $2
        )
        union all
        (
          select
            user_id,
            2
          from
            users
          where
            lower(name) ~>=~ lower($1)
            and lower(name) ~<~ (lower($1) || chr(1114111))
          order by
            lower(name) using ~<~
          limit
            $2
        )
        union all
        (
          select
            user_id,
            2
          from
            users
          where
            split_part(lower(name), ' ', 2) ~>=~ lower($1)
            and split_part(lower(name), ' ', 2) ~<~ (lower($1) || chr(1114111))
          order by
            split_part(lower(name), ' ', 2) using ~<~
          limit
            $2
        )
        union all
        (
          select
            user_id,
            2
          from
            users
          where
            substring(
              lower(name)
              from
                '^[^ ]+ [^ ]+ ([^ ]+) '
            ) ~>=~ lower($1)
            and substring(
              lower(name)
              from
                '^[^ ]+ [^ ]+ ([^ ]+) '
            ) ~<~ (lower($1) || chr(1114111))
          order by
            substring(
              lower(name)
              from
                '^[^ ]+ [^ ]+ ([^ ]+) '
            ) using ~<~
          limit
            $2
        )
        union all
        (
          select
            user_id,
            2
          from
            users
          where
            substring(
              lower(name)
              from
                '^[^ ]+ [^ ]+ [^ ]+ (?:.* )?([^ ]+) [^ ]+$'
            ) ~>=~ lower($1)
            and substring(
              lower(name)
              from
                '^[^ ]+ [^ ]+ [^ ]+ (?:.* )?([^ ]+) [^ ]+$'
            ) ~<~ (lower($1) || chr(1114111))
          order by
            substring(
              lower(name)
              from
                '^[^ ]+ [^ ]+ [^ ]+ (?:.* )?([^ ]+) [^ ]+$'
            ) using ~<~
          limit
            $2
        )
        union all
        (
          select
            user_id,
            2
          from
            users
          where
            substring(
              lower(name)
              from
                '^[^ ]+ [^ ]+ (?:.* )?([^ ]+)$'
            ) ~>=~ lower($1)
            and substring(
              lower(name)
              from
                '^[^ ]+ [^ ]+ (?:.* )?([^ ]+)$'
            ) ~<~ (lower($1) || chr(1114111))
          order by
            substring(
              lower(name)
              from
                '^[^ ]+ [^ ]+ (?:.* )?([^ ]+)$'
            ) using ~<~
          limit
            $2
        )
      ) named
    group by
      user_id
  ) found
  join users on users.user_id = found.user_id
where
  users.deleted_at is null
order by
  found.rank,
  users.username
limit
  $2
