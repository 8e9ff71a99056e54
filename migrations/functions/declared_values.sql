-- What can be declared about a row of this kind, which is what plans compare: without what the server keeps about it. Secrets stand here
-- as they are stored; nobody is shown them, and seeded_rows is not given them.
create or replace function declared_values(kind text, r jsonb) returns jsonb language sql stable as $$
  select case
    -- of a deleted one only the row is left
    when r is null or r ->> 'deleted_at' is not null then null
    when kind = 'client' then named.values || jsonb_build_object('owner', (select u.username from users u where u.user_id = (r ->> 'owner_id')::integer),
        'client_secret', nullif(r -> 'secrets_sha256', '[]'), 'disabled', r ->> 'disabled_at' is not null)
    when kind = 'user' then jsonb_build_object('username', r -> 'username', 'subject', r -> 'subject',
      'email', r -> 'email', 'email_verified', r -> 'email_verified', 'name', r -> 'name', 'is_admin', r -> 'is_admin',
      'password', coalesce(r ->> 'password_hash', r ->> 'password_bcrypt'), 'disabled', r ->> 'disabled_at' is not null)
    when kind = 'provider' then named.values || jsonb_build_object('client_secret', coalesce(r ->> 'client_secret', r ->> 'sealed_client_secret'),
        'tenants', array(select substring(i from '[0-9a-f-]{36}') from jsonb_array_elements_text(r -> 'issuers') i where i <> r ->> 'issuer'),
        'disabled', r ->> 'disabled_at' is not null)
    when kind in ('resource', 'claim', 'choice') then named.values || jsonb_build_object('disabled', r ->> 'disabled_at' is not null)
    else named.values
  end
  from (
    select coalesce(jsonb_object_agg(key, value), '{}') as values
    from jsonb_each(r)
    where key = any (case kind
      when 'client' then array['client_id', 'name', 'site_domain', 'homepage_uri', 'logo_uri', 'policy_uri', 'tos_uri', 'redirect_uris', 'scopes',
        'required_scopes', 'scope_reasons', 'grant_types', 'resource_server', 'token_endpoint_auth_method', 'jwks', 'jwks_uri',
        'tls_client_auth_subject_dn', 'tls_client_auth_san_dns', 'profile', 'token_binding', 'require_pushed_authorization_requests',
        'require_signed_request_object', 'request_object_signing_alg', 'vouched', 'assertion_audience', 'consent',
        'token_endpoint_auth_signing_alg', 'authorization_details_types']
      when 'provider' then array['name', 'kind', 'issuer', 'title', 'client_id', 'token_endpoint_auth_method', 'id_token_signed_response_alg',
        'scopes', 'people', 'domains', 'endpoint_hosts', 'on_logout', 'global_token_revocation']
      when 'resource' then array['resource', 'scopes', 'client_id', 'token_format']
      when 'claim' then array['name', 'scope', 'query']
      when 'choice' then array['name', 'scopes', 'sentence', 'sentences', 'many', 'may_be_all', 'query', 'all_sentence', 'all_sentences']
      when 'scope' then array['name', 'group_name', 'sentence', 'sentences', 'changes', 'acr', 'max_age']
      when 'group' then array['name', 'sentence', 'sentences']
    end)
  ) named
$$;
