-- For versions of the program that do not know change_client and may still run beside this one; a later release drops it.
create or replace function change_registration(
  client_id text,
  name text,
  site_domain text,
  redirect_uris text[],
  scopes text[],
  required_scopes text[],
  homepage_uri text,
  logo_uri text,
  scope_reasons jsonb,
  by_admin boolean,
  grant_types text[] default null,
  token_endpoint_auth_method text default null,
  -- stay only together with the method
  jwks jsonb default null,
  jwks_uri text default null,
  dpop_bound_access_tokens boolean default null
) returns text language sql as $$
  select change_client(client_id, by_admin => by_admin, changes =>
    jsonb_build_object('name', name, 'site_domain', site_domain, 'redirect_uris', redirect_uris, 'scopes', scopes,
      'required_scopes', required_scopes, 'homepage_uri', homepage_uri, 'logo_uri', logo_uri, 'scope_reasons', scope_reasons)
    || case when token_endpoint_auth_method is null then '{}'
       else jsonb_build_object('token_endpoint_auth_method', token_endpoint_auth_method, 'jwks', jwks, 'jwks_uri', jwks_uri) end
    || jsonb_strip_nulls(jsonb_build_object('grant_types', grant_types, 'dpop_bound_access_tokens', dpop_bound_access_tokens)))
$$;
