update access_tokens token
set
  revoked_at = now()
from
  authorization_codes code,
  grants
where
  token.access_token_sha256 = $1
  and code.code_id = token.code_id
  and code.client_id = $2
  and token.revoked_at is null
  and grants.grant_id = code.grant_id
returning
  token.code_id,
  grants.user_id
