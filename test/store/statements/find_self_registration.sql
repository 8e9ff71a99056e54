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
  request_object_signing_alg
from
  self_registrations
  join clients using (client_id)
where
  self_registrations.client_id = $1
  and self_registrations.token_sha256 = $2
  and (
    clients.disabled_at is null
    or clients.disabled_at = 'infinity'
  )
