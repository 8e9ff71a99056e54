select
  user_id,
  coalesce(users.subject, users.user_id::text) as sub,
  source,
  username,
  coalesce(password_hash, password_bcrypt) is not null as has_password,
  second_factor_since is not null as has_second_factor,
  name,
  email,
  email_verified,
  is_admin,
  created_at,
  disabled_at,
  wants_notices,
  nullif(pending_email, email) as pending_email
from
  users
where
  user_id = coalesce(
    (
      select
        user_id
      from
        users
      where
        username = $1
    ),
    (
      select
        users.user_id
      from
        sign_in_names known
        join users on users.user_id = known.user_id
      where
        known.name = folded_name ($1)
        and known.name = any (names_of_user (users))
    ),
    (
      select
        user_id
      from
        users
      where
        coalesce(users.subject, users.user_id::text) = $1
        and deleted_at is null
    )
  )
