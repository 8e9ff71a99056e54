update users
set
  name = coalesce($2, name),
  email = coalesce($3, email),
  email_verified = email_verified
  and email is not distinct from coalesce($3, email)
where
  user_id = $1
  and users.disabled_at is null
returning
  user_id,
  coalesce(users.subject, users.user_id::text) as sub,
  source,
  username,
  coalesce(password_hash, password_bcrypt) is not null as has_password,
  name,
  email,
  email_verified,
  is_admin,
  created_at,
  disabled_at
