-- All problems of the registration of a client: the field, the name of the broken rule, the offending value (never a secret)
-- and a sentence. Of each field only the first broken rule is named, of the redirection URIs the first of each.
create or replace function check_registration(
  client_id text,
  client_secret text,
  name text,
  site_domain text,
  redirect_uris text[],
  scopes text[],
  required_scopes text[],
  homepage_uri text,
  logo_uri text,
  grant_types text[],
  scope_reasons jsonb,
  owner text,
  is_public boolean,
  policy_uri text default null,
  tos_uri text default null
) returns table (field text, rule text, value text, sentence text) language plpgsql stable as $$
#variable_conflict use_variable
declare
  -- the length first: the pattern takes longer for long texts than their length
  is_domain boolean := case when fits_dns(site_domain) then coalesce(
    site_domain = 'localhost' or site_domain ~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?$', false) else false end;
  domain text := case when is_domain then site_domain end;
  homepage_problem text[] := check_site_uri(homepage_uri, domain);
  logo_problem text[] := check_site_uri(logo_uri, domain);
  policy_problem text[] := check_site_uri(policy_uri, domain);
  tos_problem text[] := check_site_uri(tos_uri, domain);
  outside text[] := array(select r from unnest(required_scopes) r
                          where expand_scopes(array[r]) <> '{}' and not expand_scopes(array[r]) && expand_scopes(scopes));
begin
  return query
  select checked.field, checked.problem[1], checked.value, checked.problem[2]
  from (values
    ('client_id', client_id, case
      when coalesce(client_id, '') !~ '^[\x21-\x7e]{1,200}$'
        then array['malformed', 'client_id must be 1 to 200 printable ASCII characters without spaces']
      when client_id in ('.', '..', 'new')
        then array['reserved', format('client_id %L would lead to another page in the addresses of its pages', client_id)]
      when client_id ~ '^\d+$' then array['numeric', 'client_id must not be a mere number, which is what identifies a person'] end),
    ('client_secret', null, case
      when length(client_secret) < 32
        then array['too_short', format('client_secret has %s characters, it needs at least 32: let a machine make it', length(client_secret))]
      when length(client_secret) > 512 then array['too_long', 'client_secret is longer than 512 characters'] end),
    ('name', name, case
      when coalesce(btrim(name), '') = '' then array['missing', 'name is missing']
      when length(name) > 200 then array['too_long', 'name is longer than 200 characters']
      when has_control_character(name) then array['control_character', 'name contains a control character'] end),
    ('site_domain', site_domain, case
      when site_domain is null then array['missing', 'site_domain is missing']
      when not fits_dns(site_domain)
        then array['host_too_long', 'site_domain is longer than 253 characters, or a part of it longer than 63']
      when not is_domain
        then array['not_a_domain', format('site_domain %L is not a host name in lower case such as printer.example', site_domain)] end),
    ('redirect_uris', null, case
      when coalesce(cardinality(redirect_uris), 0) = 0 then array['missing', 'redirect_uris is empty']
      when cardinality(redirect_uris) > 50
        then array['too_many', format('redirect_uris has %s entries, more than 50', cardinality(redirect_uris))] end),
    ('scopes', null, case
      when coalesce(cardinality(scopes), 0) = 0 then array['missing', 'scopes is empty'] end),
    ('required_scopes', outside::text, case
      when outside <> '{}' then array['outside_scopes', format('required_scopes %s is not within scopes', outside)] end),
    ('owner', owner, case
      when owner is not null and not exists (select from users u where u.username = owner)
        then array['unknown', format('owner %L is no registered user', owner)] end),
    ('scope_reasons', null, case
      when jsonb_typeof(coalesce(scope_reasons, '{}')) <> 'object' then array['not_an_object', 'scope_reasons is not an object']
      when jsonb_path_exists(scope_reasons, '$.* ? (@.type() != "string")')
        then array['not_text', 'scope_reasons holds something that is not a text'] end),
    ('grant_types', grant_types::text, case
      when not coalesce(grant_types, '{}') <@ '{authorization_code,refresh_token}' or coalesce(cardinality(grant_types), 0) = 0
        then array['unknown', format('grant_types %s: this server knows authorization_code and refresh_token', grant_types)] end),
    ('homepage_uri', homepage_uri, array[homepage_problem[1], format('homepage_uri %L %s', homepage_uri, homepage_problem[2])]),
    ('logo_uri', logo_uri, array[logo_problem[1], format('logo_uri %L %s', logo_uri, logo_problem[2])]),
    ('policy_uri', policy_uri, array[policy_problem[1], format('policy_uri %L %s', policy_uri, policy_problem[2])]),
    ('tos_uri', tos_uri, array[tos_problem[1], format('tos_uri %L %s', tos_uri, tos_problem[2])])
  ) checked (field, value, problem)
  where checked.problem[1] is not null
  union all
  select 'redirect_uris', problem[1], uri, format('redirect URI %L %s', uri, problem[2])
  from unnest(redirect_uris[1:50]) uri
  cross join check_redirect_uri(uri, domain, is_public) problem
  where problem is not null
  union all
  select case when n = any (scopes) then 'scopes' else 'required_scopes' end, 'unknown', n,
    format('there is no scope %L (the table "scopes" lists all of them)', n)
  from (select distinct unnest(scopes || required_scopes)) named (n)
  where expand_scopes(array[n]) = '{}';
end $$;
