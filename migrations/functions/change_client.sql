-- Changes those arguments of a client's registration that `changes` names, and keeps the others; null if there is no such client.
-- keep_client applies the rules. A client that goes over to a secret gets the one of `secret_sha256`, and one that has a secret
-- keeps it: keep_client gets the digests, as an export has them. An administrator vouches for a
-- site, so that ends when somebody else changes the site domain.
create or replace function change_client(
  client_id text,
  changes jsonb,
  by_admin boolean,
  secret_sha256 bytea default null
) returns text language plpgsql as $$
#variable_conflict use_variable
declare
  kept clients;
  wanted clients;
  needs_secret boolean;
begin
  select c.* into kept from clients c where c.client_id = change_client.client_id and c.deleted_at is null for update;
  if not found then
    return null;
  end if;
  wanted := jsonb_populate_record(kept, changes);
  needs_secret := case when wanted.token_endpoint_auth_method is null then kept.secrets_sha256 <> '{}'
                  else wanted.token_endpoint_auth_method ~ '^client_secret_' end;
  if needs_secret and kept.secrets_sha256 = '{}' and secret_sha256 is not null then
    kept.secrets_sha256 := array[secret_sha256];
    kept.secrets_since := array[now()];
    -- so that a seed without a secret takes it away again
    kept.registered_secret_sha256 := secret_sha256;
  elsif not needs_secret then
    -- its codes and tokens would become usable without the secret or key
    if coalesce(wanted.token_endpoint_auth_method, 'none') = 'none'
      and (kept.secrets_sha256 <> '{}' or coalesce(kept.token_endpoint_auth_method, 'none') <> 'none') then
      perform refuse_values(format('change_client(%L)', client_id), jsonb_build_array(jsonb_build_object(
        'field', 'token_endpoint_auth_method', 'rule', 'becomes_public', 'value', 'none',
        'sentence', 'a client that authenticates cannot become public: register another one')));
    end if;
    kept.secrets_sha256 := '{}';
    kept.secrets_since := '{}';
    kept.registered_secret_sha256 := null;
  end if;
  -- consent 'none' stays, unless a trigger ends it
  perform keep_client(to_jsonb(kept) - '{consent,has_fixed_scopes}'::text[]
    || jsonb_build_object(
      'client_secret', (select string_agg('sha256:' || encode(digest, 'hex'), ' ' order by position)
        from unnest(kept.secrets_sha256) with ordinality secret (digest, position)),
      'token_type', case kept.token_binding when 'mac' then 'mac' else 'bearer' end,
      'dpop_bound_access_tokens', kept.token_binding = 'dpop',
      'tls_client_certificate_bound_access_tokens', kept.token_binding = 'certificate',
      -- a change of the site that does not name them leaves them behind
      'policy_uri', case when check_site_uri(kept.policy_uri, wanted.site_domain) is null then kept.policy_uri end,
      'tos_uri', case when check_site_uri(kept.tos_uri, wanted.site_domain) is null then kept.tos_uri end)
    || changes
    || jsonb_build_object('vouched', kept.vouched and (by_admin or wanted.site_domain = kept.site_domain)));
  update clients c
  set secrets_sha256 = kept.secrets_sha256, secrets_since = kept.secrets_since,
      registered_secret_sha256 = kept.registered_secret_sha256,
      -- then people are asked again, who allowed something to an application of another name
      renamed_at = case when kept.name <> wanted.name and not by_admin then now() else kept.renamed_at end
  where c.client_id = kept.client_id;
  return client_id;
end $$;
