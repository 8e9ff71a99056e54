-- Registers a client, or updates its registration, as `stated` says by the names of register_client. All rules apply to everybody:
-- seeds, commands, pages and clients themselves. `origin`: by which way it came, if it is new. Null if the client should be new, and
-- there is one of this id.
create or replace function keep_client(stated jsonb, origin text default null) returns text language plpgsql as $$
declare
  kept clients;
  wanted clients;
  -- as an export has it: the digests of one secret or two
  exported bytea[] := digests_of_secret(stated ->> 'client_secret');
  digests bytea[] := coalesce(exported, array_remove(array[sha256(convert_to(stated ->> 'client_secret', 'UTF8'))], null));
  digest bytea := case cardinality(digests) when 2 then sha256(digests[1] || digests[2]) else digests[1] end;
  is_first boolean;
  is_new boolean;
  problems jsonb := (
    select jsonb_agg(p)
    from (
      select * from check_registration(stated)
      union all
      -- a change of the registration says where the client came from, unless an operator thereby replaces its metadata document
      select * from check_client_security(case
        when keep_client.origin is not null or starts_with(stated ->> 'client_id', 'https://')
          then stated || jsonb_build_object('origin', keep_client.origin)
        else stated end)) p);
begin
  stated := stated - 'origin';
  wanted := jsonb_populate_record(wanted, stated);
  if problems is not null then
    perform refuse_values(format('register_client(%L)', wanted.client_id), problems);
  end if;
  -- for the check at the end of a seed (src/postgres/seeds.ts), kept only for this transaction
  perform set_config('latchkey.site_domains',
    concat_ws(' ', nullif(current_setting('latchkey.site_domains', true), ''), wanted.site_domain), true);
  if starts_with(wanted.client_id, 'https://') then
    -- keep_client_document takes the same lock: a metadata document must not overwrite this registration
    perform pg_advisory_xact_lock(hashtextextended(wanted.client_id, 0));
  end if;
  -- a deleted client that the sweep has not reached yet: its grants must not pass to the new client
  delete from clients c where c.client_id = wanted.client_id and c.deleted_at is not null;
  insert into clients (client_id, name, site_domain, redirect_uris, scopes, required_scopes, grant_types, secrets_sha256, secrets_since)
  values (wanted.client_id, wanted.name, wanted.site_domain, wanted.redirect_uris, '{}', '{}', '{}', '{}', '{}')
  on conflict on constraint clients_pkey do nothing;
  is_new := found;
  -- a document of a site is read again and again; every other way adds a client, and changes none that somebody else has added
  if not is_new and keep_client.origin is not null and (keep_client.origin <> 'document' or stated ? 'only_for') then
    return null;
  end if;
  delete from client_documents d where d.client_id = wanted.client_id;
  is_first := is_new or found;
  select c.* into kept from clients c where c.client_id = wanted.client_id for no key update;

  if is_first then
    -- also of one that an operator registers in place of its metadata document
    kept.origin := keep_client.origin;
    kept.offered_methods := null;
  end if;
  wanted := jsonb_populate_record(kept, stated);
  -- of a group only the members that are registered, so that a member added to the group later does not break the seed
  wanted.scopes := expand_scopes(wanted.scopes);
  -- whoever sets the scopes of a client that came by itself decides what it may ask for; `has_fixed_scopes` is stated by the client alone
  wanted.has_fixed_scopes := coalesce((stated ->> 'has_fixed_scopes')::boolean, kept.has_fixed_scopes
    or keep_client.origin is null and not is_new and not (wanted.scopes <@ kept.scopes and kept.scopes <@ wanted.scopes));
  wanted.required_scopes := array(select r from unnest(expand_scopes(wanted.required_scopes)) r where r = any(wanted.scopes));
  wanted.scope_reasons := coalesce(wanted.scope_reasons, '{}');
  wanted.owner_id := coalesce((select u.user_id from users u where u.username = stated ->> 'owner'), kept.owner_id);
  wanted.vouched := coalesce(wanted.vouched, is_first or kept.vouched);
  -- a client that was registered before sends what it was told then
  wanted.assertion_audience := coalesce(stated ->> 'assertion_audience', case when is_new then 'issuer' else kept.assertion_audience end);
  wanted.require_pushed_authorization_requests :=
    wanted.require_pushed_authorization_requests or coalesce(wanted.profile, '') = 'fapi2';
  wanted.token_binding := case
    when stated ->> 'token_type' = 'mac' then 'mac'
    when (stated ->> 'tls_client_certificate_bound_access_tokens')::boolean then 'certificate'
    when (stated ->> 'dpop_bound_access_tokens')::boolean or wanted.profile = 'fapi2' then 'dpop'
    else 'any' end;
  -- the same secret as in the last registration leaves those that were rotated since
  if digest is distinct from kept.registered_secret_sha256 and exported is distinct from kept.secrets_sha256 then
    wanted.registered_secret_sha256 := digest;
    wanted.secrets_sha256 := digests;
    wanted.secrets_since := array_fill(now(), array[cardinality(wanted.secrets_sha256)]);
  end if;
  -- every column: a statement that lists them would need each new member, too
  execute (
    select format('update clients set (%1$s) = (select %1$s from (select ($1).*) wanted) where client_id = $2',
      string_agg(quote_ident(a.attname), ', '))
    from pg_attribute a
    where a.attrelid = 'clients'::regclass and a.attnum > 0 and not a.attisdropped)
  using wanted, wanted.client_id;
  -- what an operator states counts for what the same registration states; otherwise a trigger ends it with an owner, a destination or more scopes
  if stated ->> 'consent' is not null then
    with waived as (
      update clients c set consent = stated ->> 'consent' where c.client_id = wanted.client_id returning c.client_id
    )
    insert into audit_events (event, client_id, request_id, detail)
    select 'consent_waived', waived.client_id, 'sql', format('by the database role %s', session_user) from waived where kept.consent is null;
  end if;
  return wanted.client_id;
end $$;
