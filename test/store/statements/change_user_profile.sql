update users
set
  name = coalesce($2, name),
  email = coalesce(
    case
      when email_verified then email
    end,
    $3,
    email
  ),
  pending_email = case
    when email_verified then coalesce($3, pending_email)
  end
where
  user_id = $1
  and users.disabled_at is null
returning
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
  case
    when email_verified then nullif(pending_email, email)
  end as pending_email
