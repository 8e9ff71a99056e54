select
  users.user_id,
  username,
  is_admin,
  coalesce(password_hash, password_bcrypt) as password_hash,
  second_factor_since is not null as is_needed,
  totp_factors.secret as totp_secret,
  (
    select
      count(*)::integer
    from
      recovery_codes
    where
      recovery_codes.user_id = users.user_id
  ) as recovery_codes,
  coalesce(users.factors_changed_at::text, '') as version,
  concat(
    extract(
      epoch
      from
        users.sessions_ended_at
    ),
    '/' || hashtext (users.registered_password_bcrypt)
  ) as sessions_version,
  date_part('epoch', now() - second_factor_demanded_at) / 86400 as demanded_for,
  date_part('epoch', now()) as now
from
  users
  left join totp_factors on totp_factors.user_id = users.user_id
where
  users.user_id = $1
  and users.disabled_at is null
