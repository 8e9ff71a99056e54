select
  code.client_id,
  grants.user_id,
  coalesce(users.subject, users.user_id::text) as sub,
  token.resource,
  token.binding,
  floor(date_part('epoch', token.issued_at)) as iat,
  floor(date_part('epoch', token.expires_at)) as exp
from
  access_tokens token
  join authorization_codes code on code.code_id = token.code_id
  join grants on grants.grant_id = code.grant_id
  join users on users.user_id = grants.user_id
where
  token.access_token_sha256 = $1
