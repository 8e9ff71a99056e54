select
  position,
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
  clients.version::text as version,
  published_keys,
  published_keys_age,
  next_fetch_in,
  is_being_fetched
from
  (
    select
      client_id,
      position
    from
      unnest($1::text[]) with ordinality parameters (client_id, position)
    where
      position between 1 and 500
  ) requests
  join clients using (client_id)
  left join lateral (
    select
      keys as published_keys,
      extract(
        epoch
        from
          clock_timestamp() - fetched_at
      )::double precision as published_keys_age,
      extract(
        epoch
        from
          next_try_at - clock_timestamp()
      )::double precision as next_fetch_in,
      coalesce(fetching_until > now(), false) as is_being_fetched
    from
      client_key_sets
    where
      client_key_sets.client_id = clients.client_id
      and client_key_sets.uri = clients.jwks_uri
    limit
      1
  ) published on true
where
  deleted_at is null
