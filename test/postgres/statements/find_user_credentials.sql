select
  asked.name,
  person.user_id,
  person.username,
  coalesce(person.password_hash, person.password_bcrypt) as password_hash,
  concat(
    extract(
      epoch
      from
        person.sessions_ended_at
    ),
    '/' || hashtext (person.registered_password_bcrypt)
  ) as sessions_version,
  coalesce(coalesce(person.password_hash, person.password_bcrypt) = person.registered_password_bcrypt, false) as is_imported,
  (
    select
      max(substr(password_bcrypt, 5, 2)::integer)
    from
      users
    where
      users.disabled_at is null
      and substr(password_bcrypt, 5, 2)::integer > 12
  ) as highest_cost
from
  (
    select
      folded_name ($1) as name
  ) asked
  left join users person on person.user_id = coalesce(
    (
      select
        user_id
      from
        users
      where
        username = $1
        and users.disabled_at is null
    ),
    (
      select
        users.user_id
      from
        sign_in_names known
        join users on users.user_id = known.user_id
      where
        known.name = asked.name
        and known.name = any (names_of_user (users))
        and users.disabled_at is null
    )
  )
