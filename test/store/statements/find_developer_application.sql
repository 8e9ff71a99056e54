select
  client_id,
  name,
  site_domain,
  homepage_uri,
  logo_uri,
  policy_uri,
  tos_uri,
  redirect_uris,
  scopes,
  required_scopes,
  scope_reasons,
  grant_types,
  secrets_sha256,
  resource_server,
  owner_id,
  created_at,
  nullif(disabled_at, 'infinity') as disabled_at,
  vouched,
  token_endpoint_auth_method,
  jwks,
  jwks_uri,
  tls_client_auth_subject_dn,
  tls_client_auth_san_dns,
  profile,
  token_binding,
  require_pushed_authorization_requests,
  require_signed_request_object,
  assertions_not_before,
  request_object_signing_alg,
  secrets_since,
  disabled_by_owner
from
  clients
where
  (
    $2::boolean
    or owner_id = $1
  )
  and client_id = $3
  and deleted_at is null
