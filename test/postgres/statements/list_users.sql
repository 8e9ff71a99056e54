select
  user_id,
  coalesce(users.subject, users.user_id::text) as sub,
  source,
  case
    when users.source = 'here'
    or users.source = 'view'
    and users.is_admin then '{}'
    else coalesce(users.kept_there, '{name,email}')
  end as kept_elsewhere,
  username,
  coalesce(password_hash, password_bcrypt) is not null as has_password,
  second_factor_since is not null as has_second_factor,
  exists (
    select
    from
      totp_factors
    where
      totp_factors.user_id = users.user_id
  ) as has_app,
  name,
  email,
  email_verified,
  is_admin,
  created_at,
  disabled_at,
  wants_notices,
  nullif(pending_email, email) as pending_email,
  (
    select
      count(*)::integer
    from
      passkeys
    where
      passkeys.user_id = users.user_id
      and user_verified
  ) as passkeys
from
  users
where
  username > $1
order by
  username
limit
  $2
