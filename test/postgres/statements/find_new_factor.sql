select
  coalesce(users.password_reset_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at), true)
  and coalesce(users.password_hash, users.password_bcrypt) is not null as is_removable
from
  mailed_links links
  join users on users.user_id = links.user_id
where
  links.token_sha256 = $1
  and users.second_factor_since is not null
  and (
    exists (
      select
      from
        totp_factors
      where
        totp_factors.user_id = links.user_id
        and not totp_factors.created_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at)
    )
    or exists (
      select
      from
        passkeys
      where
        passkeys.user_id = links.user_id
        and not passkeys.user_verified
        and not passkeys.created_at < coalesce((links.detail ->> 'since')::timestamptz, links.created_at)
    )
  )
