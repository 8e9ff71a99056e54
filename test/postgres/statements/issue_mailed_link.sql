insert into
  mailed_links as links (token_sha256, purpose, user_id, address, account_sha256, detail, expires_at)
select
  $1,
  $2,
  users.user_id,
  $4,
  case
    when $2 = 'reset' then sha256(
      convert_to(
        concat_ws(E'\n', coalesce(coalesce(users.password_hash, users.password_bcrypt), ''), users.email, users.email_verified),
        'UTF8'
      )
    )
  end,
  $5,
  now() + make_interval(secs => $6)
from
  users
where
  users.user_id = $3
  and (
    $2 = 'reset'
    or users.email is not distinct from $5::jsonb ->> 'to'
  )
  and users.disabled_at is null
for share of
  users
returning
  user_id
