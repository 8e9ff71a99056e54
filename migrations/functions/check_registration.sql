-- All problems of the registration of a client: the field, the name of the broken rule, the offending value (never a secret)
-- and a sentence. Of each field only the first broken rule is named, of the redirection URIs the first of each.
create or replace function check_registration(
  stated jsonb
) returns table (field text, rule text, value text, sentence text) language plpgsql stable as $$
#variable_conflict use_variable
declare
  client clients := jsonb_populate_record(null::clients, stated);
  client_secret text := stated ->> 'client_secret';
  owner text := stated ->> 'owner';
  is_public boolean := client_secret is null and coalesce(client.token_endpoint_auth_method, 'none') = 'none';
  -- the length first: the pattern takes longer for long texts than their length
  is_domain boolean := case when fits_dns(client.site_domain) then coalesce(
    client.site_domain = 'localhost' or client.site_domain ~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?$', false) else false end;
  domain text := case when is_domain then client.site_domain end;
  homepage_problem text[] := check_site_uri(client.homepage_uri, domain);
  logo_problem text[] := check_site_uri(client.logo_uri, domain);
  policy_problem text[] := check_site_uri(client.policy_uri, domain);
  tos_problem text[] := check_site_uri(client.tos_uri, domain);
  outside text[] := array(select r from unnest(client.required_scopes) r
                          where expand_scopes(array[r]) <> '{}' and not expand_scopes(array[r]) && expand_scopes(client.scopes));
begin
  return query
  select checked.field, checked.problem[1], checked.value, checked.problem[2]
  from (values
    ('client_id', client.client_id, case
      when coalesce(client.client_id, '') !~ '^[\x21-\x7e]{1,200}$'
        then array['malformed', 'client_id must be 1 to 200 printable ASCII characters without spaces']
      when client.client_id in ('.', '..', 'new')
        then array['reserved', format('client_id %L would lead to another page in the addresses of its pages', client.client_id)]
      when exists (select from buried_clients b where b.client_id = client.client_id)
        and not exists (select from clients c where c.client_id = client.client_id)
        then array['buried', format('client_id %L was that of an application that had registered itself: choose another one', client.client_id)]
      when client.client_id ~ '^\d+$' then array['numeric', 'client_id must not be a mere number, which is what identifies a person'] end),
    ('client_secret', null, case
      -- with a slip in it, the text itself would be the secret, for everybody who can read the seed
      when client_secret ~* '^\s*sha256:' and digests_of_secret(client_secret) is null
        then array['malformed', 'client_secret begins with sha256: and is no digest: 64 hexadecimal digits must follow, or of two secrets twice that with one space between']
      when length(client_secret) < 32
        then array['too_short', format('client_secret has %s characters, it needs at least 32: let a machine make it', length(client_secret))]
      when length(client_secret) > 512 then array['too_long', 'client_secret is longer than 512 characters'] end),
    ('name', client.name, case
      when coalesce(btrim(client.name), '') = '' then array['missing', 'name is missing']
      when length(client.name) > 200 then array['too_long', 'name is longer than 200 characters']
      when has_control_character(client.name) then array['control_character', 'name contains a control character'] end),
    ('site_domain', client.site_domain, case
      when client.site_domain is null then array['missing', 'site_domain is missing']
      when not fits_dns(client.site_domain)
        then array['host_too_long', 'site_domain is longer than 253 characters, or a part of it longer than 63']
      when not is_domain
        then array['not_a_domain', format('site_domain %L is not a host name in lower case such as printer.example', client.site_domain)]
      -- what an operator vouches for is their own decision, and a seed must not keep the server from starting
      when client.vouched is false and banned_site_of(client.site_domain) is not null
        then array['banned', format('site_domain %L is banned here', client.site_domain)] end),
    ('redirect_uris', null, case
      when coalesce(cardinality(client.redirect_uris), 0) = 0 then array['missing', 'redirect_uris is empty']
      when cardinality(client.redirect_uris) > 50
        then array['too_many', format('redirect_uris has %s entries, more than 50', cardinality(client.redirect_uris))] end),
    ('scopes', null, case
      when coalesce(cardinality(client.scopes), 0) = 0 then array['missing', 'scopes is empty'] end),
    ('required_scopes', outside::text, case
      when outside <> '{}' then array['outside_scopes', format('required_scopes %s is not within scopes', outside)] end),
    ('owner', owner, case
      when owner is not null and not exists (select from users u where u.username = owner)
        then array['unknown', format('owner %L is no registered user', owner)] end),
    ('scope_reasons', null, case
      when jsonb_typeof(coalesce(client.scope_reasons, '{}')) <> 'object' then array['not_an_object', 'scope_reasons is not an object']
      when jsonb_path_exists(client.scope_reasons, '$.* ? (@.type() != "string")')
        then array['not_text', 'scope_reasons holds something that is not a text'] end),
    ('consent', client.consent, case
      when client.consent is null then null
      when client.consent <> 'none' then array['unknown', format('consent %L: this server knows none', client.consent)]
      when client.profile = 'fapi2' then array['profile', 'with the profile fapi2, people are asked each time: consent must not be none']
      when coalesce(client.vouched, (select c.vouched from clients c where c.client_id = client.client_id)) is false
        then array['unvouched', 'nobody vouches for the client: consent must not be none']
      when exists (select from unnest(client.redirect_uris) uri where uri !~ '^https://')
        then array['not_https', 'another program on the device can receive the answer at a loopback address or a private-use scheme: consent must not be none']
      when exists (select from self_registrations s where s.client_id = client.client_id)
        then array['self_registered', 'the client registered itself, and changes itself: consent must not be none'] end),
    ('grant_types', client.grant_types::text, case
      when not coalesce(client.grant_types, '{}') <@ '{authorization_code,refresh_token}' or coalesce(cardinality(client.grant_types), 0) = 0
        then array['unknown', format('grant_types %s: this server knows authorization_code and refresh_token', client.grant_types)] end),
    ('homepage_uri', client.homepage_uri, array[homepage_problem[1], format('homepage_uri %L %s', client.homepage_uri, homepage_problem[2])]),
    ('logo_uri', client.logo_uri, array[logo_problem[1], format('logo_uri %L %s', client.logo_uri, logo_problem[2])]),
    ('policy_uri', client.policy_uri, array[policy_problem[1], format('policy_uri %L %s', client.policy_uri, policy_problem[2])]),
    ('tos_uri', client.tos_uri, array[tos_problem[1], format('tos_uri %L %s', client.tos_uri, tos_problem[2])])
  ) checked (field, value, problem)
  where checked.problem[1] is not null
  union all
  select 'redirect_uris', problem[1], uri, format('redirect URI %L %s', uri, problem[2])
  from unnest(client.redirect_uris[1:50]) uri
  cross join lateral (select case
    when client.only_for is not null and uri !~ '^http://(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?([/?]|$)'
      then array['not_loopback', 'is no address of this device such as http://127.0.0.1/callback']
    else check_redirect_uri(uri, domain, is_public) end) checked (problem)
  where problem is not null
  union all
  select case when n = any (client.scopes) then 'scopes' else 'required_scopes' end, 'unknown', n,
    format('there is no scope %L (the table "scopes" lists all of them)', n)
  from (select distinct unnest(client.scopes || client.required_scopes)) named (n)
  where expand_scopes(array[n]) = '{}';
end $$;
