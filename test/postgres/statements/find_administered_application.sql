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
  tokens_not_before,
  users.username as owner,
  counted.people,
  counted.looked > 10000 as has_more_people
from
  clients
  left join users on users.user_id = coalesce(clients.owner_id, clients.only_for)
  cross join lateral (
    select
      count(*) as looked,
      count(distinct user_id) filter (
        where
          looked.revoked_at is null
          and (
            looked.expires_at is null
            or looked.expires_at > now()
          )
      )::integer as people
    from
      (
        select
          user_id,
          revoked_at,
          expires_at
        from
          grants
        where
          grants.client_id = clients.client_id
        limit
          10001
      ) looked
  ) counted
where
  clients.client_id = $1
  and clients.deleted_at is null
