-- What can be declared about a row of this kind, which is what plans compare: without what the server keeps about it. Secrets stand here
-- as they are stored; nobody is shown them, and seeded_rows is not given them.
create or replace function declared_values(kind text, r jsonb) returns jsonb language sql stable as $$
  select case
    -- of a deleted one only the row is left
    when r is null or r ->> 'deleted_at' is not null then null
    when kind = 'client' then r - array['created_at', 'last_used_at', 'renamed_at', 'secrets_sha256', 'secrets_since', 'registered_secret_sha256',
        'assertions_not_before', 'is_demo', 'disabled_at', 'disabled_by_owner', 'deleted_at', 'owner_id', 'origin', 'version']
      || jsonb_build_object('owner', (select u.username from users u where u.user_id = (r ->> 'owner_id')::integer),
        'client_secret', nullif(r -> 'secrets_sha256', '[]'), 'disabled', r ->> 'disabled_at' is not null)
    when kind = 'user' then jsonb_build_object('username', r -> 'username', 'subject', r -> 'subject',
      'email', r -> 'email', 'email_verified', r -> 'email_verified', 'name', r -> 'name', 'is_admin', r -> 'is_admin',
      'password', coalesce(r ->> 'password_hash', r ->> 'password_bcrypt'), 'disabled', r ->> 'disabled_at' is not null)
    when kind = 'provider' then r - array['created_at', 'sealed_client_secret', 'disabled_at', 'issuers']
      || jsonb_build_object('client_secret', coalesce(r ->> 'client_secret', r ->> 'sealed_client_secret'),
        'tenants', array(select substring(i from '[0-9a-f-]{36}') from jsonb_array_elements_text(r -> 'issuers') i where i <> r ->> 'issuer'),
        'disabled', r ->> 'disabled_at' is not null)
    when kind in ('resource', 'claim') then r - 'disabled_at' || jsonb_build_object('disabled', r ->> 'disabled_at' is not null)
    else r - 'position'
  end
$$;
