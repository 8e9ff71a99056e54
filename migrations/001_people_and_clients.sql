-- Who may sign in, who may ask, and what there is to ask for.

create extension if not exists pgcrypto;

create table users (
  user_id integer generated always as identity primary key,
  username text not null constraint users_username_unique unique,
  password_bcrypt text not null constraint users_password_is_bcrypt check (password_bcrypt ~ '^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$'),
  -- the one of the last registration: when a seed runs again with it, the person may have changed it since, and it stays
  registered_password_bcrypt text,
  email text,
  -- only an operator vouches for an address; one that a person typed is never called verified
  email_verified boolean not null default false,
  name text,
  is_admin boolean not null default false,
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

create table scopes (
  name text primary key constraint scopes_name_is_a_scope_token check (name ~ '^[a-z][a-z0-9:_.-]{0,63}$'),
  group_name text not null constraint scopes_group_is_a_scope_token check (group_name ~ '^[a-z][a-z0-9:_.-]{0,63}$'),
  sentence text not null,
  position integer generated always as identity
);

insert into scopes (name, group_name, sentence) values
  ('user:name', 'user', 'See your name and username'),
  ('user:email', 'user', 'See your e-mail address'),
  ('user:write', 'user:write', 'Change your name and e-mail address'),
  ('repo:read', 'repo', 'Read your repositories'),
  ('repo:write', 'repo', 'Change your repositories');

create table clients (
  client_id text primary key constraint clients_id_is_printable check (client_id ~ '^[\x21-\x7e]{1,200}$'),
  -- a user's id is a number: a client that bears one could be taken for a person [9700 §4.15]
  constraint clients_id_is_no_number check (client_id !~ '^\d+$'),
  name text not null,
  site_domain text not null,
  homepage_uri text,
  logo_uri text,
  redirect_uris text[] not null,
  scopes text[] not null,
  required_scopes text[] not null,
  grant_types text[] not null,
  -- newest first, at most two, so that a secret can be changed without an outage; none makes a public client
  secrets_sha256 bytea[] not null constraint clients_two_secrets check (cardinality(secrets_sha256) <= 2),
  secrets_since timestamptz[] not null,
  -- the secret of the last registration: when a seed runs again with the same one, rotation has gone on since, and stays
  registered_secret_sha256 bytea,
  constraint clients_secrets_have_dates check (cardinality(secrets_since) = cardinality(secrets_sha256)),
  resource_server boolean not null default false,
  -- why it needs a permission, or what does not work without it, in its own words: {"user:email": "to send the receipt"}
  scope_reasons jsonb not null default '{}',
  owner_id integer references users on delete set null,
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

create table settings (
  name text primary key,
  value text not null
);

-- The members of scopes and groups, in catalogue order; an unknown name is an error that names it.
create function expand_scopes(names text[], who text) returns text[] language plpgsql stable as $$
declare
  unknown text := (select n from unnest(names) n
                   where not exists (select from scopes s where n in (s.name, s.group_name)) limit 1);
begin
  if unknown is not null then
    raise exception '%: there is no scope %', who, quote_literal(unknown)
      using errcode = 'check_violation', hint = 'The table "scopes" lists all of them.';
  end if;
  return array(select s.name from scopes s where s.name = any(names) or s.group_name = any(names) order by s.position);
end $$;

-- Why a redirection URI cannot be registered; null when it can [6749 §3.1.2; 8252 §7; 9700 §2.1].
create function redirect_uri_problem(uri text, site_domain text, is_public boolean) returns text language plpgsql immutable as $$
declare
  -- scheme, host and port of an http(s) URI, without userinfo, in lower case: what is compared later is the raw string
  parts text[] := regexp_match(uri, '^(https?)://((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?|\[::1\])(:([1-9]\d{0,4}))?([/?].*)?$');
  is_local boolean := site_domain = 'localhost' and coalesce(parts[2] in ('localhost', '127.0.0.1', '[::1]'), false);
begin
  if uri is null or uri = '' then return 'is empty'; end if;
  if length(uri) > 2000 then return 'is longer than 2000 characters'; end if;
  if uri !~ '^[\x21-\x7e]+$' then return 'contains a character that does not belong into a URI'; end if;
  if position('#' in uri) > 0 then return 'has a fragment'; end if;
  if position('*' in uri) > 0 then return 'has a wildcard'; end if;
  if uri ~ '[\\"<>^`{|}]' then return 'contains a character that does not belong into a URI'; end if;
  if uri ~* '/(\.|%2e){1,2}(/|\?|$)' then return 'has a path with . or ..'; end if;
  if uri ~ '[?&](code|state|iss|error|error_description|error_uri)=' then return 'has a query parameter that the answer uses itself'; end if;
  if parts is null then
    if uri ~ '^https?:' then return 'is not of the form https://host/path'; end if;
    if uri !~ '^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:/' then return 'is neither https nor a private-use scheme such as com.example.app:/callback'; end if;
    if not is_public then return 'has a private-use scheme, which is for public clients'; end if;
    return null;
  end if;
  if parts[4]::integer > 65535 then return 'has a port above 65535'; end if;
  if is_local then return null; end if;
  if parts[1] <> 'https' then return 'is not https'; end if;
  if parts[2] = site_domain or right(parts[2], length(site_domain) + 1) = '.' || site_domain then return null; end if;
  return format('lies outside the site domain %L', site_domain);
end $$;

-- Registers an application, or brings its registration up to date. Every argument is checked here, so that SQL, the
-- command line and the pages cannot disagree about what a good registration is.
create function register_client(
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
  owner text default null
) returns text language plpgsql as $$
#variable_conflict use_variable
declare
  who text := format('register_client(%L)', client_id);
  members text[] := expand_scopes(scopes, who);
  required text[] := expand_scopes(coalesce(required_scopes, '{}'), who);
  owner_id integer := (select u.user_id from users u where u.username = owner);
  digests bytea[] := case when client_secret is null then '{}' else array[sha256(convert_to(client_secret, 'UTF8'))] end;
  uri text;
  problem text := case
    when coalesce(client_id, '') !~ '^[\x21-\x7e]{1,200}$' then 'client_id must be 1 to 200 printable ASCII characters without spaces'
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
    when coalesce(cardinality(members), 0) = 0 then 'scopes is empty'
    when not required <@ members then format('required_scopes %s is not within scopes', array(select unnest(required) except select unnest(members)))
    when homepage_uri !~ '^https://[\x21-\x7e]+$' and not (site_domain = 'localhost' and homepage_uri ~ '^http://[\x21-\x7e]+$') then format('homepage_uri %L is not an https URI', homepage_uri)
    when logo_uri !~ '^https://[a-z0-9.-]+(:\d{1,5})?(/[\x21-\x7e]*)?$' then format('logo_uri %L is not an https URI', logo_uri)
    when owner is not null and owner_id is null then format('owner %L is no registered user', owner)
    when jsonb_typeof(coalesce(scope_reasons, '{}')) <> 'object' then 'scope_reasons is not an object'
    when jsonb_path_exists(scope_reasons, '$.* ? (@.type() != "string")') then 'scope_reasons holds something that is not a text'
    when not coalesce(grant_types, '{}') <@ '{authorization_code,refresh_token}' or coalesce(cardinality(grant_types), 0) = 0
      then format('grant_types %s: this server knows authorization_code and refresh_token', grant_types)
  end;
begin
  foreach uri in array coalesce(redirect_uris, '{}') loop
    exit when problem is not null;
    problem := format('redirect URI %L ', uri) || redirect_uri_problem(uri, site_domain, client_secret is null);
  end loop;
  if problem is not null then
    raise exception '%: %', who, problem using errcode = 'check_violation';
  end if;
  insert into clients as registered (client_id, name, site_domain, homepage_uri, logo_uri, redirect_uris, scopes,
                                     required_scopes, grant_types, secrets_sha256, secrets_since,
                                     registered_secret_sha256, resource_server,
                                     scope_reasons, owner_id)
  values (client_id, name, site_domain, homepage_uri, logo_uri, redirect_uris, members, required, grant_types, digests,
          array_fill(now(), array[cardinality(digests)]), digests[1], resource_server, coalesce(scope_reasons, '{}'), owner_id)
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
      owner_id = coalesce(excluded.owner_id, registered.owner_id);
  return client_id;
end $$;

-- Registers a person, or brings the account up to date. A password is plain text or a ready bcrypt hash; bcrypt is what is kept.
create function register_user(
  username text,
  password text default null,
  email text default null,
  name text default null,
  is_admin boolean default null
) returns integer language plpgsql as $$
#variable_conflict use_variable
declare
  who text := format('register_user(%L)', username);
  earlier text := (select u.registered_password_bcrypt from users u where u.username = register_user.username);
  hash text;
  id integer;
  problem text := case
    when coalesce(btrim(username), '') = '' then 'username is missing'
    when length(username) > 200 or username ~ '[\x01-\x1f\x7f]' then 'username is longer than 200 characters or contains a control character'
    when password is null then 'password is missing'
    when email !~ '^[^\s@]+@[^\s@]+$' then format('email %L is not an e-mail address', email)
    when password ~ '^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{53}$' then null
    when length(password) < 8 then 'the password has fewer than 8 characters'
    when octet_length(password) > 72 then 'the password has ' || octet_length(password) || ' bytes; bcrypt ignores what comes after the 72nd, so it is refused'
  end;
begin
  if problem is not null then
    raise exception '%: %', who, problem using errcode = 'check_violation';
  end if;
  hash := case
    -- $2y$ is what PHP calls the same thing
    when password ~ '^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$' then regexp_replace(password, '^\$2y', '$2b')
    when crypt(password, earlier) = earlier then earlier
    else crypt(password, gen_salt('bf', 12)) end;
  insert into users as registered (username, password_bcrypt, registered_password_bcrypt, email, email_verified, name, is_admin)
  values (username, hash, hash, email, email is not null, name, coalesce(is_admin, false))
  on conflict on constraint users_username_unique do update
  set password_bcrypt = case when hash = earlier then registered.password_bcrypt else hash end,
      registered_password_bcrypt = hash, email = excluded.email,
      email_verified = excluded.email_verified, name = excluded.name,
      is_admin = coalesce(is_admin, registered.is_admin)
  returning user_id into id;
  return id;
end $$;
