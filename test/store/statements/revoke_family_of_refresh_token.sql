update authorization_codes code
set
  revoked_at = now()
from
  grants
where
  code.code_sha256 = $1
  and (
    code.refresh_token_sha256 = $2
    or code.previous_refresh_sha256 = $2
    or (
      $4
      and $3 < code.refresh_generation
    )
  )
  and code.client_id = $5
  and code.revoked_at is null
  and grants.grant_id = code.grant_id
returning
  code.code_id,
  grants.user_id
