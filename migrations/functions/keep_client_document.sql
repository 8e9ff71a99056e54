-- Registers a client as its metadata document describes it, or updates it; null if it was registered in another way, which wins.
create or replace function keep_client_document(
  client_id text,
  name text,
  site_domain text,
  redirect_uris text[],
  scopes text[],
  grant_types text[],
  homepage_uri text,
  logo_uri text,
  fresh_for integer,
  token_endpoint_auth_method text default 'none',
  jwks jsonb default null,
  jwks_uri text default null,
  tls_client_auth_subject_dn text default null,
  tls_client_auth_san_dns text default null,
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
  kept clients;
begin
  -- register_client takes the same lock
  perform pg_advisory_xact_lock(hashtextextended(client_id, 0));
  select c.* into kept from clients c where c.client_id = keep_client_document.client_id and c.deleted_at is null;
  if found and not exists (select from client_documents d where d.client_id = kept.client_id) then
    return null;
  end if;
  -- as in change_client: its codes and tokens would become usable without the key
  if coalesce(token_endpoint_auth_method, 'none') = 'none' and coalesce(kept.token_endpoint_auth_method, 'none') <> 'none'
    and exists (select from grants g where g.client_id = kept.client_id) then
    perform refuse_values(format('keep_client_document(%L)', client_id), jsonb_build_array(jsonb_build_object(
      'field', 'token_endpoint_auth_method', 'rule', 'becomes_public', 'value', 'none',
      'sentence', 'a client that authenticates cannot become public: publish another document')));
  end if;
  perform register_client(
    client_id => client_id, name => name, site_domain => site_domain, redirect_uris => redirect_uris, scopes => scopes,
    homepage_uri => case when check_site_uri(homepage_uri, site_domain) is null then homepage_uri end,
    logo_uri => case when check_site_uri(logo_uri, site_domain) is null then logo_uri end,
    policy_uri => case when check_site_uri(policy_uri, site_domain) is null then policy_uri end,
    tos_uri => case when check_site_uri(tos_uri, site_domain) is null then tos_uri end,
    grant_types => grant_types, token_endpoint_auth_method => token_endpoint_auth_method,
    jwks => jwks, jwks_uri => jwks_uri, tls_client_auth_subject_dn => tls_client_auth_subject_dn,
    tls_client_auth_san_dns => tls_client_auth_san_dns,
    dpop_bound_access_tokens => dpop_bound_access_tokens,
    tls_client_certificate_bound_access_tokens => tls_client_certificate_bound_access_tokens,
    require_pushed_authorization_requests => require_pushed_authorization_requests,
    require_signed_request_object => require_signed_request_object, request_object_signing_alg => request_object_signing_alg,
    -- no document says this: an administrator has set it
    profile => kept.profile, vouched => coalesce(kept.vouched, false));
  update clients c
  set renamed_at = case when kept.name <> name then now() else kept.renamed_at end,
      -- its site had withdrawn it; what an operator has disabled stays so
      disabled_at = case when not c.disabled_by_owner then c.disabled_at end,
      disabled_by_owner = false
  where c.client_id = keep_client_document.client_id;
  insert into client_documents (client_id, fresh_until) values (client_id, now() + make_interval(secs => fresh_for));
  if kept.client_id is null then
    -- anybody can publish documents, so only so many are kept that nobody has allowed anything and nothing else refers to
    delete from clients c
    using (select d.client_id
           from client_documents d
           join clients k using (client_id)
           where not exists (select from clients_in_use u where u.client_id = d.client_id)
             and not k.vouched
             and (k.disabled_at is null or k.disabled_at = 'infinity' or k.disabled_by_owner)
           order by d.fetched_at desc
           offset 1000) unused
    where c.client_id = unused.client_id;
  end if;
  return client_id;
end $$;
