-- Registers an application, or brings its registration up to date. Every argument is checked here, so that SQL, the
-- command line and the pages cannot disagree about what a good registration is.
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
  who text := format('register_client(%L)', client_id);
  members text[] := expand_scopes(scopes, who);
  -- of a group those members that are registered, so that one that joins it later does not break the seed
  required text[] := array(select r from unnest(expand_scopes(coalesce(required_scopes, '{}'), who)) r where r = any(members));
  stray text[] := array(select r from unnest(required_scopes) r where not expand_scopes(array[r], who) && members);
  owner_id integer := (select u.user_id from users u where u.username = owner);
  digests bytea[] := case when client_secret is null then '{}' else array[sha256(convert_to(client_secret, 'UTF8'))] end;
  uri text;
  problem text := case
    when coalesce(client_id, '') !~ '^[\x21-\x7e]{1,200}$' then 'client_id must be 1 to 200 printable ASCII characters without spaces'
    when client_id in ('.', '..', 'new') then format('client_id %L would lead to another page in the addresses of its pages', client_id)
    when client_id ~ '^\d+$' then 'client_id must not be a mere number, which is what identifies a person'
    when length(client_secret) < 32 then 'client_secret has ' || length(client_secret) || ' characters, it needs at least 32: let a machine make it'
    when length(client_secret) > 512 then 'client_secret is longer than 512 characters'
    when coalesce(btrim(name), '') = '' then 'name is missing'
    when length(name) > 200 then 'name is longer than 200 characters'
    when name ~ '[\x01-\x1f\x7f]' then 'name contains a control character'
    when site_domain is null then 'site_domain is missing'
    when site_domain <> 'localhost' and site_domain !~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?$'
      then format('site_domain %L is not a host name in lower case such as printer.example', site_domain)
    when coalesce(cardinality(redirect_uris), 0) = 0 then 'redirect_uris is empty'
    when cardinality(redirect_uris) > 50 then format('redirect_uris has %s entries, more than 50', cardinality(redirect_uris))
    when coalesce(cardinality(members), 0) = 0 then 'scopes is empty'
    when stray <> '{}' then format('required_scopes %s is not within scopes', stray)
    when owner is not null and owner_id is null then format('owner %L is no registered user', owner)
    when jsonb_typeof(coalesce(scope_reasons, '{}')) <> 'object' then 'scope_reasons is not an object'
    when jsonb_path_exists(scope_reasons, '$.* ? (@.type() != "string")') then 'scope_reasons holds something that is not a text'
    when not coalesce(grant_types, '{}') <@ '{authorization_code,refresh_token}' or coalesce(cardinality(grant_types), 0) = 0
      then format('grant_types %s: this server knows authorization_code and refresh_token', grant_types)
  end;
begin
  problem := coalesce(problem,
    format('homepage_uri %L ', homepage_uri) || site_uri_problem(homepage_uri, site_domain),
    format('logo_uri %L ', logo_uri) || site_uri_problem(logo_uri, site_domain));
  foreach uri in array coalesce(redirect_uris, '{}') loop
    exit when problem is not null;
    problem := format('redirect URI %L ', uri) || redirect_uri_problem(uri, site_domain, client_secret is null);
  end loop;
  if problem is not null then
    raise exception '%: %', who, problem using errcode = 'check_violation';
  end if;
  -- a deleted application whose rows the sweep has not reached yet: nothing of what people allowed it may pass to the new one
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
