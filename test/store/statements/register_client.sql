select
  register_client (
    client_id => $1,
    client_secret => $2,
    name => $3,
    site_domain => $4,
    redirect_uris => $5,
    scopes => $6,
    required_scopes => $7,
    homepage_uri => $8,
    logo_uri => $9,
    grant_types => coalesce($10, '{authorization_code,refresh_token}'::text[]),
    resource_server => $11,
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
    profile => security.profile,
    token_type => security.token_type,
    policy_uri => $13,
    tos_uri => $14
  )
from
  jsonb_to_record($12) as security (
    token_endpoint_auth_method text,
    jwks jsonb,
    jwks_uri text,
    tls_client_auth_subject_dn text,
    tls_client_auth_san_dns text,
    dpop_bound_access_tokens boolean,
    tls_client_certificate_bound_access_tokens boolean,
    require_pushed_authorization_requests boolean,
    require_signed_request_object boolean,
    request_object_signing_alg text,
    profile text,
    token_type text
  )
