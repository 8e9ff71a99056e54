select
  position,
  sessions.data,
  sessions.auth_time,
  date_part('epoch', now() - sessions.auth_time) as auth_age,
  sessions.methods,
  users.chosen_language,
  concat(
    extract(
      epoch
      from
        users.sessions_ended_at
    ),
    '/' || hashtext (users.registered_password_bcrypt)
  ) as sessions_version,
  sessions.last_used_at < now() - interval '5 minutes' as is_stale,
  users.is_admin,
  date_part('epoch', now() - users.second_factor_demanded_at) / 86400 as demanded_for
from
  (
    select
      sid_sha256,
      position
    from
      unnest($1::bytea[]) with ordinality parameters (sid_sha256, position)
    where
      position between 1 and 500
  ) requests
  join sessions on sessions.sid_sha256 = requests.sid_sha256
  join users on users.user_id = sessions.user_id
where
  users.disabled_at is null
  and coalesce(sessions.begun_after = coalesce(users.sessions_ended_at, '-infinity'), true)
  and (
    users.second_factor_since is null
    or sessions.methods && '{passkey,security_key,totp,recovery_code,trusted_browser}'
  )
  and sessions.last_used_at > now() - interval '30 minutes'
  and sessions.created_at > now() - interval '12 hours'
  and sessions.created_at < now() + interval '1 day'
