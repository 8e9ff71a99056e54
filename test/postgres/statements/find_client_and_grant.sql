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
  case
    when grants.grant_id is not null then json_build_object(
      'grant_id',
      grants.grant_id::text,
      'scopes',
      grants.scopes,
      'refused_scopes',
      grants.refused_scopes,
      'redirect_uris',
      grants.redirect_uris,
      'silent',
      grants.silent,
      'duration',
      grants.duration,
      'is_over',
      not (
        grants.revoked_at is null
        and (
          grants.expires_at is null
          or grants.expires_at > now()
        )
      ),
      'to_confirm',
      grants.to_confirm,
      'gives_username',
      grants.gives_username,
      'decided',
      grants.decided,
      'choices',
      grants.choices,
      'renamed_from',
      case
        when renamed_at > granted_at
        and client_name is distinct from name then coalesce(client_name, '')
      end
    )
  end as "grant"
from
  (
    select
      client_id,
      user_id,
      position
    from
      unnest($1::text[], $2::integer[]) with ordinality parameters (client_id, user_id, position)
    where
      position between 1 and 500
  ) requests
  join clients on clients.client_id = requests.client_id
  left join lateral (
    -- the limit keeps the planner from merging this into the join, so that both columns of the index are used
    select
      *
    from
      grants
    where
      grants.client_id = clients.client_id
      and grants.user_id = requests.user_id
      and grants.revoked_at is null
      and grants.duration <> 'once'
    limit
      1
  ) grants on true
where
  clients.disabled_at is null
  and coalesce(clients.only_for = requests.user_id, true)
