select
  users.user_id,
  users.username,
  users.email,
  coalesce(users.password_hash, users.password_bcrypt) is not null as has_password,
  links.address,
  links.detail,
  links.created_at
from
  mailed_links links
  join users on users.user_id = links.user_id
where
  links.token_sha256 = $1
  and links.purpose = $2
  and links.expires_at > now()
  and links.created_at < now() + interval '1 day'
  and (
    links.account_sha256 is null
    or links.account_sha256 = sha256(
      convert_to(
        concat_ws(E'\n', coalesce(coalesce(users.password_hash, users.password_bcrypt), ''), users.email, users.email_verified),
        'UTF8'
      )
    )
  )
  and (
    links.purpose = 'reset'
    or users.email is not distinct from links.detail ->> 'to'
  )
  and users.disabled_at is null
