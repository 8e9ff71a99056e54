select
  clients.client_id,
  clients.secrets_sha256,
  clients.name,
  clients.site_domain,
  clients.redirect_uris,
  clients.scopes,
  clients.required_scopes,
  clients.homepage_uri,
  clients.logo_uri,
  clients.policy_uri,
  clients.tos_uri,
  clients.grant_types,
  clients.resource_server,
  clients.scope_reasons,
  clients.owner_id,
  clients.vouched,
  clients.consent,
  clients.token_endpoint_auth_method,
  clients.token_endpoint_auth_signing_alg,
  clients.jwks,
  clients.jwks_uri,
  clients.tls_client_auth_subject_dn,
  clients.tls_client_auth_san_dns,
  clients.token_binding,
  clients.require_pushed_authorization_requests,
  clients.require_signed_request_object,
  clients.request_object_signing_alg,
  clients.authorization_details_types,
  clients.assertion_audience,
  clients.profile,
  clients.origin,
  clients.has_fixed_scopes,
  clients.offered_methods,
  clients.only_for,
  clients.created_at,
  clients.disabled_at,
  clients.assertions_not_before,
  secrets_since,
  disabled_by_owner,
  last_used_at,
  (
    select
      username
    from
      users
    where
      users.user_id = clients.owner_id
  ) as owner
from
  clients
where
  (created_at at time zone 'UTC', client_id) < (
    coalesce(
      (
        select
          created_at at time zone 'UTC'
        from
          clients
        where
          client_id = $1
      ),
      'infinity'
    ),
    coalesce($1, '')
  )
  and deleted_at is null
order by
  created_at at time zone 'UTC' desc,
  client_id desc
limit
  $2
