-- What a seed may state about a client, with the defaults. The names and their order are a promise to seeds. What is stated goes on as
-- one value: keep_client stores it, and only the rules in check_registration and check_client_security know its members.
create or replace function register_client(
  client_id text,
  client_secret text default null,
  name text default null,
  site_domain text default null,
  redirect_uris text[] default null,
  scopes text[] default null,
  required_scopes text[] default '{}',
  homepage_uri text default null,
  logo_uri text default null,
  grant_types text[] default '{authorization_code,refresh_token}',
  resource_server boolean default false,
  scope_reasons jsonb default '{}',
  owner text default null,
  vouched boolean default null,
  token_endpoint_auth_method text default null,
  jwks jsonb default null,
  jwks_uri text default null,
  tls_client_auth_subject_dn text default null,
  tls_client_auth_san_dns text default null,
  profile text default null,
  token_type text default 'bearer',
  dpop_bound_access_tokens boolean default false,
  tls_client_certificate_bound_access_tokens boolean default false,
  require_pushed_authorization_requests boolean default false,
  require_signed_request_object boolean default false,
  request_object_signing_alg text default null,
  policy_uri text default null,
  tos_uri text default null,
  assertion_audience text default null,
  consent text default null,
  token_endpoint_auth_signing_alg text default null,
  authorization_details_types text[] default null
) returns text language sql as $$
  select keep_client(to_jsonb(stated))
  from (
    select client_id, client_secret, name, site_domain, redirect_uris, scopes, required_scopes, homepage_uri, logo_uri,
      grant_types, resource_server, scope_reasons, owner, vouched, token_endpoint_auth_method, jwks, jwks_uri,
      tls_client_auth_subject_dn, tls_client_auth_san_dns, profile, token_type, dpop_bound_access_tokens,
      tls_client_certificate_bound_access_tokens, require_pushed_authorization_requests, require_signed_request_object,
      request_object_signing_alg, policy_uri, tos_uri, assertion_audience, consent, token_endpoint_auth_signing_alg,
      authorization_details_types
  ) stated
$$;
