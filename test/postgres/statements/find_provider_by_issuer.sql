select
  name,
  kind,
  issuer,
  issuers,
  title,
  client_id,
  client_secret,
  sealed_client_secret,
  token_endpoint_auth_method,
  id_token_signed_response_alg,
  scopes,
  people,
  endpoint_hosts,
  on_logout,
  global_token_revocation
from
  providers
where
  issuer = $1
  and kind = 'openid'
  and providers.disabled_at is null
