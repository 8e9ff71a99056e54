select
  links.address,
  links.detail
from
  sign_up_links links
where
  links.token_sha256 = $1
  and (
    links.is_invitation
    or $2
  )
  and links.expires_at > now()
  and links.created_at < now() + interval '1 day'
