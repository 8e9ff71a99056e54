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
  tos_uri text default null
) returns text language plpgsql as $$
#variable_conflict use_variable
declare
  -- of a group only the members that are registered, so that a member added to the group later does not break the seed
  members text[] := expand_scopes(scopes);
  required text[] := array(select r from unnest(expand_scopes(required_scopes)) r where r = any(members));
  replaces_document boolean := false;
  owner_id integer := (select u.user_id from users u where u.username = owner);
  digests bytea[] := case when client_secret is null then '{}' else array[sha256(convert_to(client_secret, 'UTF8'))] end;
  is_public boolean := client_secret is null and coalesce(token_endpoint_auth_method, 'none') = 'none';
  token_binding text := case
    when token_type = 'mac' then 'mac'
    when tls_client_certificate_bound_access_tokens then 'certificate'
    when dpop_bound_access_tokens or profile = 'fapi2' then 'dpop'
    else 'any' end;
  problems jsonb := (
    select jsonb_agg(p)
    from (
      select *
      from check_registration(client_id, client_secret, name, site_domain, redirect_uris, scopes, required_scopes,
        homepage_uri, logo_uri, grant_types, scope_reasons, owner, is_public, policy_uri, tos_uri)
      union all
      select *
      from check_client_security(token_endpoint_auth_method, client_secret is not null, redirect_uris, jwks, jwks_uri,
        tls_client_auth_subject_dn, tls_client_auth_san_dns, profile, token_type, dpop_bound_access_tokens,
        tls_client_certificate_bound_access_tokens, request_object_signing_alg)
      union all
      select 'require_signed_request_object', 'no_key', null, 'require_signed_request_object needs jwks or jwks_uri'
      where require_signed_request_object and jwks is null and jwks_uri is null) p);
begin
  if problems is not null then
    perform refuse_values(format('register_client(%L)', client_id), problems);
  end if;
  -- for the check at the end of a seed (src/postgres/seeds.ts), kept only for this transaction
  perform set_config('latchkey.site_domains',
    concat_ws(' ', nullif(current_setting('latchkey.site_domains', true), ''), site_domain), true);
  if starts_with(client_id, 'https://') then
    -- keep_client_document takes the same lock: a metadata document must not overwrite this registration
    perform pg_advisory_xact_lock(hashtextextended(client_id, 0));
    delete from client_documents d where d.client_id = register_client.client_id;
    replaces_document := found;
  end if;
  -- a deleted client that the sweep has not reached yet: its grants must not pass to the new client
  delete from clients c where c.client_id = register_client.client_id and c.deleted_at is not null;
  insert into clients as registered (client_id, name, site_domain, homepage_uri, logo_uri, redirect_uris, scopes,
                                     required_scopes, grant_types, secrets_sha256, secrets_since,
                                     registered_secret_sha256, resource_server,
                                     scope_reasons, owner_id, vouched, token_endpoint_auth_method, jwks, jwks_uri,
                                     tls_client_auth_subject_dn, tls_client_auth_san_dns, profile, token_binding,
                                     require_pushed_authorization_requests, require_signed_request_object,
                                     request_object_signing_alg, policy_uri, tos_uri)
  values (client_id, name, site_domain, homepage_uri, logo_uri, redirect_uris, members, required, grant_types, digests,
          array_fill(now(), array[cardinality(digests)]), digests[1], resource_server, coalesce(scope_reasons, '{}'), owner_id,
          coalesce(vouched, true), token_endpoint_auth_method, jwks, jwks_uri, tls_client_auth_subject_dn,
          tls_client_auth_san_dns, profile, token_binding, require_pushed_authorization_requests or coalesce(profile, '') = 'fapi2',
          require_signed_request_object, request_object_signing_alg, policy_uri, tos_uri)
  on conflict on constraint clients_pkey do update
  set name = excluded.name,
      site_domain = excluded.site_domain,
      homepage_uri = excluded.homepage_uri,
      logo_uri = excluded.logo_uri,
      policy_uri = excluded.policy_uri,
      tos_uri = excluded.tos_uri,
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
      vouched = coalesce(register_client.vouched, replaces_document or registered.vouched),
      token_endpoint_auth_method = excluded.token_endpoint_auth_method,
      jwks = excluded.jwks,
      jwks_uri = excluded.jwks_uri,
      tls_client_auth_subject_dn = excluded.tls_client_auth_subject_dn,
      tls_client_auth_san_dns = excluded.tls_client_auth_san_dns,
      profile = excluded.profile,
      token_binding = excluded.token_binding,
      require_pushed_authorization_requests = excluded.require_pushed_authorization_requests,
      require_signed_request_object = excluded.require_signed_request_object,
      request_object_signing_alg = excluded.request_object_signing_alg;
  return client_id;
end $$;
