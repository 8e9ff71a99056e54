select
  keep_client_document (
    client_id => $1,
    name => $2,
    site_domain => $3,
    redirect_uris => $4,
    scopes => $5,
    grant_types => $6,
    homepage_uri => $7,
    logo_uri => $8,
    fresh_for => $9,
    policy_uri => $11,
    tos_uri => $12,
    token_endpoint_auth_method => security.token_endpoint_auth_method,
    jwks => security.jwks,
    jwks_uri => security.jwks_uri,
    tls_client_auth_subject_dn => security.tls_client_auth_subject_dn,
    tls_client_auth_san_dns => security.tls_client_auth_san_dns,
    dpop_bound_access_tokens => security.dpop_bound_access_tokens,
    tls_client_certificate_bound_access_tokens => security.tls_client_certificate_bound_access_tokens,
    require_pushed_authorization_requests => security.require_pushed_authorization_requests,
    require_signed_request_object => security.require_signed_request_object,
    request_object_signing_alg => security.request_object_signing_alg
  )
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
  )
