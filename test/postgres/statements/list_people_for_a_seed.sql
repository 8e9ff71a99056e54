select
  username as key,
  coalesce(users.subject, users.user_id::text) as subject,
  username,
  email,
  email_verified,
  name,
  is_admin,
  coalesce(password_hash, password_bcrypt) as password_hash,
  disabled_at is not null as is_disabled
from
  users
where
  username > $1
  and deleted_at is null
  and source = 'here'
  and not exists (
    select
    from
      seeded_rows
    where
      kind = 'user'
      and key = users.user_id::text
      and pruned_at = users.disabled_at
  )
order by
  username
limit
  $2
