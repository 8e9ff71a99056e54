-- Changes the registration of a client, except its secrets, owner and type; null if there is no such client. register_client
-- applies the rules; it gets a placeholder for the secret of a confidential client, and the second statement restores the real
-- secrets. An administrator vouches for a site, so that ends when somebody else changes the site domain.
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
  by_admin boolean
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
    grant_types => kept.grant_types, resource_server => kept.resource_server, scope_reasons => scope_reasons,
    vouched => kept.vouched and (by_admin or site_domain = kept.site_domain));
  update clients c
  set secrets_sha256 = kept.secrets_sha256, secrets_since = kept.secrets_since,
      registered_secret_sha256 = kept.registered_secret_sha256
  where c.client_id = kept.client_id;
  return client_id;
end $$;
