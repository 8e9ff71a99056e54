-- Changes the registration of a client, except its secrets, owner and type; null if there is no such client. What the last
-- arguments leave out stays. register_client applies the rules; it gets a placeholder for the secret of a confidential client, and
-- the second statement restores the real secrets. An administrator vouches for a site, so that ends when somebody else changes the
-- site domain.
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
) returns text language plpgsql as $$
#variable_conflict use_variable
declare
  kept clients;
begin
  select c.* into kept from clients c where c.client_id = change_registration.client_id and c.deleted_at is null for update;
  if not found then
    return null;
  end if;
  perform register_client(
    client_id => client_id, client_secret => case when kept.secrets_sha256 <> '{}' then repeat('-', 32) end,
    name => name, site_domain => site_domain, redirect_uris => redirect_uris, scopes => scopes,
    required_scopes => required_scopes, homepage_uri => homepage_uri, logo_uri => logo_uri,
    grant_types => coalesce(grant_types, kept.grant_types), resource_server => kept.resource_server, scope_reasons => scope_reasons,
    token_endpoint_auth_method => coalesce(token_endpoint_auth_method, kept.token_endpoint_auth_method),
    jwks => case when token_endpoint_auth_method is null then kept.jwks else jwks end,
    jwks_uri => case when token_endpoint_auth_method is null then kept.jwks_uri else jwks_uri end, tls_client_auth_subject_dn => kept.tls_client_auth_subject_dn,
    tls_client_auth_san_dns => kept.tls_client_auth_san_dns, profile => kept.profile,
    token_type => case kept.token_binding when 'mac' then 'mac' else 'bearer' end,
    dpop_bound_access_tokens => coalesce(dpop_bound_access_tokens, kept.token_binding = 'dpop'),
    tls_client_certificate_bound_access_tokens => kept.token_binding = 'certificate',
    require_pushed_authorization_requests => kept.require_pushed_authorization_requests,
    require_signed_request_object => kept.require_signed_request_object,
    vouched => kept.vouched and (by_admin or site_domain = kept.site_domain));
  update clients c
  set secrets_sha256 = kept.secrets_sha256, secrets_since = kept.secrets_since,
      registered_secret_sha256 = kept.registered_secret_sha256,
      -- then people are asked again, who allowed something to an application of another name
      renamed_at = case when kept.name <> name and not by_admin then now() else kept.renamed_at end
  where c.client_id = kept.client_id;
  return client_id;
end $$;
