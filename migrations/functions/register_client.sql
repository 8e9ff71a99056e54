-- Registers a client, or updates its registration. check_registration checks every argument, so that seeds, commands and pages
-- apply the same rules.
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
  vouched boolean default null
) returns text language plpgsql as $$
#variable_conflict use_variable
declare
  -- of a group only the members that are registered, so that a member added to the group later does not break the seed
  members text[] := expand_scopes(scopes);
  required text[] := array(select r from unnest(expand_scopes(required_scopes)) r where r = any(members));
  owner_id integer := (select u.user_id from users u where u.username = owner);
  digests bytea[] := case when client_secret is null then '{}' else array[sha256(convert_to(client_secret, 'UTF8'))] end;
  problems jsonb := (
    select jsonb_agg(p)
    from check_registration(client_id, client_secret, name, site_domain, redirect_uris, scopes, required_scopes,
      homepage_uri, logo_uri, grant_types, scope_reasons, owner) p);
begin
  if problems is not null then
    perform refuse_values(format('register_client(%L)', client_id), problems);
  end if;
  -- a deleted client that the sweep has not reached yet: its grants must not pass to the new client
  delete from clients c where c.client_id = register_client.client_id and c.deleted_at is not null;
  insert into clients as registered (client_id, name, site_domain, homepage_uri, logo_uri, redirect_uris, scopes,
                                     required_scopes, grant_types, secrets_sha256, secrets_since,
                                     registered_secret_sha256, resource_server,
                                     scope_reasons, owner_id, vouched)
  values (client_id, name, site_domain, homepage_uri, logo_uri, redirect_uris, members, required, grant_types, digests,
          array_fill(now(), array[cardinality(digests)]), digests[1], resource_server, coalesce(scope_reasons, '{}'), owner_id,
          coalesce(vouched, true))
  on conflict on constraint clients_pkey do update
  set name = excluded.name,
      site_domain = excluded.site_domain,
      homepage_uri = excluded.homepage_uri,
      logo_uri = excluded.logo_uri,
      redirect_uris = excluded.redirect_uris,
      scopes = excluded.scopes,
      required_scopes = excluded.required_scopes,
      grant_types = excluded.grant_types,
      secrets_sha256 = case when excluded.registered_secret_sha256 is not distinct from registered.registered_secret_sha256
                       then registered.secrets_sha256 else excluded.secrets_sha256 end,
      secrets_since = case when excluded.registered_secret_sha256 is not distinct from registered.registered_secret_sha256
                      then registered.secrets_since else excluded.secrets_since end,
      registered_secret_sha256 = excluded.registered_secret_sha256,
      resource_server = excluded.resource_server,
      scope_reasons = excluded.scope_reasons,
      owner_id = coalesce(excluded.owner_id, registered.owner_id),
      vouched = coalesce(register_client.vouched, registered.vouched);
  return client_id;
end $$;
