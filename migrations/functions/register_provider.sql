-- Registers another server at which people can sign in, or updates it. A disabled one stays disabled. The client secret stands here
-- as it was given until an instance of this server encrypts it, a few seconds later.
create or replace function register_provider(
  name text,
  issuer text,
  client_id text,
  client_secret text default null,
  people text default 'registered',
  domains text[] default '{}',
  title text default null,
  kind text default null,
  tenants text[] default '{}',
  scopes text[] default null,
  token_endpoint_auth_method text default null,
  id_token_signed_response_alg text default 'RS256',
  endpoint_hosts text[] default null,
  on_logout text default 'sessions',
  global_token_revocation boolean default null
) returns text language plpgsql as $$
#variable_conflict use_variable
declare
  stated_kind text := coalesce(kind, case
    when issuer ~ '^https://login\.microsoftonline\.(com|us)/' or issuer ~ '^https://login\.partner\.microsoftonline\.cn/' then 'entra'
    when issuer = 'https://github.com' then 'github'
    else 'openid' end);
  method text := coalesce(token_endpoint_auth_method, case
    when client_secret is null then 'none'
    when stated_kind = 'openid' then 'client_secret_basic'
    else 'client_secret_post' end);
  -- of Entra, several tenants can share one; its ID tokens name the tenant in its place
  is_shared boolean := stated_kind = 'entra' and coalesce(issuer ~ '/(common|organizations|consumers)/v2\.0$', false);
  stated_scopes text[] := coalesce(scopes, case stated_kind
    when 'github' then array['read:user', 'user:email']
    else array['openid', 'profile', 'email'] end);
  issuers text[] := case
    when is_shared then array(select regexp_replace(issuer, '/(common|organizations|consumers)/', '/' || t || '/') from unnest(tenants) t)
    else array[issuer] end;
  -- an export has no secrets: stated with its method only, the one that is there stays, unless it would be sent elsewhere
  keeps_secret boolean := client_secret is null and method <> 'none' and exists (
    select from providers p
    where p.name = register_provider.name and p.issuer = register_provider.issuer and p.client_id = register_provider.client_id
      and p.endpoint_hosts is not distinct from register_provider.endpoint_hosts
      and num_nonnulls(p.client_secret, p.sealed_client_secret) > 0);
  problems jsonb := (
    select jsonb_agg(jsonb_build_object('field', field, 'rule', problem[1], 'value', value, 'sentence', problem[2]))
    from (
      select * from (values
        ('name', name, case
          when name is null then array['missing', 'name is missing']
          when name !~ '^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$'
            then array['malformed', format('name %L is not made of 1 to 32 small letters, digits and hyphens', name)] end),
        ('issuer', issuer, case
          when issuer is null then array['missing', 'issuer is missing']
          when length(issuer) > 300 then array['too_long', 'issuer is longer than 300 characters']
          when issuer ~ '^http://' and issuer !~ '^http://(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?(/|$)'
            then array['not_https', format('issuer %L is not https', issuer)]
          when issuer !~ '^https?://([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[::1\])(:[1-9]\d{0,4})?(/[!$-;=@-Z_a-z~]*)?$' or issuer ~ '^https://[^/]*:443(/|$)'
            then array['not_a_uri', format('issuer %L is not of the form https://host/path, with the host in small letters and without user name, default port, query and fragment', issuer)]
          when exists (select from providers p where p.issuer = register_provider.issuer and p.name <> register_provider.name)
            then array['taken', format('issuer %L is that of another provider', issuer)] end),
        ('kind', kind, case
          when stated_kind not in ('openid', 'entra', 'github')
            then array['unknown', format('kind %L is none of openid, entra, github', kind)] end),
        ('client_id', client_id, case
          when coalesce(client_id, '') = '' then array['missing', 'client_id is missing']
          when length(client_id) > 500 or client_id !~ '^[\x20-\x7e]+$'
            then array['malformed', 'client_id is longer than 500 characters or is not ASCII'] end),
        ('client_secret', null, case
          when client_secret is null and method <> 'none' and not keeps_secret then array['missing', format('token_endpoint_auth_method %L needs a client_secret', method)]
          when client_secret is not null and method = 'none'
            then array['superfluous', 'a client_secret is not used with token_endpoint_auth_method ''none''']
          when length(client_secret) not between 8 and 1000 or has_control_character(client_secret)
            then array['malformed', 'client_secret has fewer than 8 or more than 1000 characters, or contains a control character'] end),
        ('token_endpoint_auth_method', method, case
          when method not in ('client_secret_basic', 'client_secret_post', 'none')
            then array['unknown', format('token_endpoint_auth_method %L is none of client_secret_basic, client_secret_post, none', method)] end),
        ('id_token_signed_response_alg', id_token_signed_response_alg, case
          when coalesce(id_token_signed_response_alg, '') not in ('RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519')
            then array['unknown', format('id_token_signed_response_alg %L is none of RS256, PS256, ES256, EdDSA, Ed25519', id_token_signed_response_alg)] end),
        ('people', people, case
          when coalesce(people, '') not in ('registered', 'created')
            then array['unknown', format('people %L is neither registered nor created', people)] end),
        ('on_logout', on_logout, case
          when coalesce(on_logout, '') not in ('sessions', 'access')
            then array['unknown', format('on_logout %L is neither sessions nor access', on_logout)]
          when on_logout = 'access' and stated_kind = 'github'
            then array['superfluous', 'on_logout ''access'' is for OpenID providers: GitHub tells of no logout'] end),
        ('global_token_revocation', null, case
          when coalesce(global_token_revocation, false) and stated_kind <> 'openid'
            then array['superfluous', 'global_token_revocation is for providers of kind ''openid'''] end),
        ('domains', null, case
          when cardinality(domains) > 0 and people = 'registered'
            then array['superfluous', 'domains are those of people who get an account: they need people => ''created'''] end),
        ('title', title, case
          when length(title) not between 1 and 60 or has_control_character(title)
            then array['malformed', 'title is empty, longer than 60 characters or contains a control character'] end),
        ('tenants', null, case
          when is_shared and coalesce(cardinality(tenants), 0) = 0
            then array['missing', format('issuer %L is shared by all tenants, so tenants must name those whose people may sign in', issuer)]
          when not is_shared and cardinality(tenants) > 0
            then array['superfluous', 'tenants are named only with an issuer that they share'] end),
        ('scopes', null, case
          when stated_kind <> 'github' and not 'openid' = any (stated_scopes)
            then array['missing', 'scopes lacks openid, without which there is no ID token'] end)
      ) checked
      union all
      select 'domains', d, array['malformed', format('domain %L is not a host name in small letters', d)]
      from unnest(domains) d
      where d is null or length(d) > 253 or d !~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$'
      union all
      select 'tenants', t, array['malformed', format('tenant %L is not a UUID in small letters', t)]
      from unnest(tenants) t
      where t is null or t !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      union all
      select 'scopes', s, array['malformed', format('scope %L contains a character that a scope cannot have', s)]
      from unnest(stated_scopes) s
      where s is null or length(s) > 200 or s !~ '^[!#-\[\]-~]+$'
      union all
      select 'endpoint_hosts', h, array['malformed', format('endpoint host %L is not of the form host or host:port, in small letters', h)]
      from unnest(endpoint_hosts) h
      where h is null or length(h) > 260 or h !~ '^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[::1\])(:[1-9]\d{0,4})?$'
    ) checked (field, value, problem)
    where problem is not null);
begin
  if problems is not null then
    perform refuse_values(format('register_provider(%L)', name), problems);
  end if;
  -- what was fetched under other conditions
  delete from provider_documents d
  using providers p
  where p.name = register_provider.name and d.name = p.name
    and (p.issuer, p.endpoint_hosts, p.id_token_signed_response_alg)
      is distinct from (issuer, endpoint_hosts, id_token_signed_response_alg);
  insert into providers as registered (name, kind, issuer, issuers, title, client_id, client_secret, token_endpoint_auth_method,
    id_token_signed_response_alg, scopes, people, domains, endpoint_hosts, on_logout,
    global_token_revocation)
  values (name, stated_kind, issuer, issuers, coalesce(title, initcap(name)), client_id, client_secret, method,
    id_token_signed_response_alg, stated_scopes, people, coalesce(domains, '{}'), endpoint_hosts, on_logout,
    coalesce(global_token_revocation, stated_kind = 'openid'))
  on conflict on constraint providers_pkey do update
  set kind = excluded.kind, issuer = excluded.issuer, issuers = excluded.issuers, title = excluded.title,
      client_id = excluded.client_id, client_secret = case when keeps_secret then registered.client_secret else excluded.client_secret end,
      sealed_client_secret = case when keeps_secret then registered.sealed_client_secret end,
      token_endpoint_auth_method = excluded.token_endpoint_auth_method,
      id_token_signed_response_alg = excluded.id_token_signed_response_alg, scopes = excluded.scopes,
      people = excluded.people, domains = excluded.domains, endpoint_hosts = excluded.endpoint_hosts,
      on_logout = excluded.on_logout, global_token_revocation = excluded.global_token_revocation;
  return name;
end $$;
