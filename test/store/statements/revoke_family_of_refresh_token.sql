update authorization_codes code
set
  revoked_at = now()
from
  refresh_tokens token,
  grants
where
  token.refresh_token_sha256 = $1
  and code.code_id = token.code_id
  and code.client_id = $2
  and code.revoked_at is null
  and grants.grant_id = code.grant_id
returning
  code.code_id,
  grants.user_id
