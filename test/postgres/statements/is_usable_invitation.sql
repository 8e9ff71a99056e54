select
from
  invitations
where
  token_sha256 = $1
  and uses_left > 0
  and expires_at > now()
