with
  invitation as (
    update invitations
    set
      uses_left = uses_left - 1
    where
      token_sha256 = $14
      and uses_left > 0
      and expires_at > now()
    returning
      invitation_id
  ),
  registered as (
    select
      register_client (
        client_id => $1,
        client_secret => $13,
        name => $3,
        site_domain => $4,
        redirect_uris => $5,
        scopes => $6,
        homepage_uri => case
          when check_site_uri ($7, $4) is null then $7
        end,
        logo_uri => case
          when check_site_uri ($8, $4) is null then $8
        end,
        grant_types => $9,
        policy_uri => case
          when check_site_uri ($11, $4) is null then $11
        end,
        tos_uri => case
          when check_site_uri ($12, $4) is null then $12
        end,
        token_endpoint_auth_method => security.token_endpoint_auth_method,
        jwks => security.jwks,
        jwks_uri => security.jwks_uri,
        tls_client_auth_subject_dn => security.tls_client_auth_subject_dn,
        tls_client_auth_san_dns => security.tls_client_auth_san_dns,
        dpop_bound_access_tokens => security.dpop_bound_access_tokens,
        tls_client_certificate_bound_access_tokens => security.tls_client_certificate_bound_access_tokens,
        require_pushed_authorization_requests => security.require_pushed_authorization_requests,
        require_signed_request_object => security.require_signed_request_object,
        request_object_signing_alg => security.request_object_signing_alg,
        vouched => false
      ) as client_id
    from
      jsonb_to_record($10) as security (
        token_endpoint_auth_method text,
        jwks jsonb,
        jwks_uri text,
        tls_client_auth_subject_dn text,
        tls_client_auth_san_dns text,
        dpop_bound_access_tokens boolean,
        tls_client_certificate_bound_access_tokens boolean,
        require_pushed_authorization_requests boolean,
        require_signed_request_object boolean,
        request_object_signing_alg text
      ),
      invitation
  )
insert into
  self_registrations (client_id, token_sha256)
select
  client_id,
  $2
from
  registered
returning
  client_id
