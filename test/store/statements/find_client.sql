select
  position,
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
          now() - fetched_at
      )::double precision as published_keys_age,
      extract(
        epoch
        from
          next_try_at - now()
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
