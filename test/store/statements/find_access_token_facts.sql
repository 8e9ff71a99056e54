select
  code.client_id,
  grants.user_id,
  token.resource,
  token.binding,
  floor(date_part('epoch', token.issued_at)) as iat,
  floor(date_part('epoch', token.expires_at)) as exp
from
  access_tokens token
  join authorization_codes code on code.code_id = token.code_id
  join grants on grants.grant_id = code.grant_id
where
  token.access_token_sha256 = $1
