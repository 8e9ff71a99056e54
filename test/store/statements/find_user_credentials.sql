select
  asked.name,
  person.user_id,
  person.username,
  coalesce(person.password_hash, person.password_bcrypt) as password_hash,
  highest_cost
from
  (
    select
      folded_name ($1) as name
  ) asked
  cross join (
    select
      max(substr(password_bcrypt, 5, 2)::integer) as highest_cost
    from
      users
    where
      users.disabled_at is null
      and substr(password_bcrypt, 5, 2)::integer > 12
  ) costs
  left join lateral (
    select
      *
    from
      (
        select
          users.*,
          true as is_exact
        from
          users
        where
          users.username = $1
        union all
        select
          users.*,
          false
        from
          sign_in_names known
          join users on users.user_id = known.user_id
        where
          known.name = asked.name
          and known.name = any (names_of_user (users))
      ) people
    where
      people.disabled_at is null
    order by
      is_exact desc
    limit
      1
  ) person on true
