update access_tokens token
set
  expires_at = now()
from
  authorization_codes code
where
  token.access_token_sha256 = $1
  and code.code_id = token.code_id
  and code.client_id = $2
returning
  token.code_id
