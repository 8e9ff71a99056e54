-- Registers a client as its metadata document describes it, or updates it; null if it was registered in another way, which wins.
create or replace function keep_client_document(stated jsonb, fresh_for integer) returns text language plpgsql as $$
declare
  client_id text := stated ->> 'client_id';
  kept clients;
begin
  -- keep_client takes the same lock
  perform pg_advisory_xact_lock(hashtextextended(client_id, 0));
  select c.* into kept from clients c where c.client_id = stated ->> 'client_id' and c.deleted_at is null;
  if found and not exists (select from client_documents d where d.client_id = kept.client_id) then
    return null;
  end if;
  -- as in change_client: its codes and tokens would become usable without the key
  if coalesce(stated ->> 'token_endpoint_auth_method', 'none') = 'none' and coalesce(kept.token_endpoint_auth_method, 'none') <> 'none'
    and exists (select from grants g where g.client_id = kept.client_id) then
    perform refuse_values(format('keep_client_document(%L)', client_id), jsonb_build_array(jsonb_build_object(
      'field', 'token_endpoint_auth_method', 'rule', 'becomes_public', 'value', 'none',
      'sentence', 'a client that authenticates cannot become public: publish another document')));
  end if;
  -- no document states the profile: an administrator has set it
  perform keep_client(without_foreign_links(stated)
    || jsonb_build_object('profile', kept.profile, 'vouched', coalesce(kept.vouched, false)), 'document');
  update clients c
  set renamed_at = case when kept.name <> stated ->> 'name' then now() else kept.renamed_at end,
      -- its site had withdrawn it; what an operator has disabled stays so
      disabled_at = case when not c.disabled_by_owner then c.disabled_at end,
      disabled_by_owner = false
  where c.client_id = stated ->> 'client_id';
  insert into client_documents (client_id, fresh_until) values (client_id, now() + make_interval(secs => fresh_for));
  if kept.client_id is null then
    -- anybody can publish documents, so only so many are kept that nobody has allowed anything and nothing else refers to
    delete from clients c
    using (select d.client_id
           from client_documents d
           join clients k using (client_id)
           where not exists (select from clients_in_use u where u.client_id = d.client_id)
             and not k.vouched
             and (k.disabled_at is null or k.disabled_by_owner)
           order by d.fetched_at desc
           offset 1000) unused
    where c.client_id = unused.client_id;
  end if;
  return client_id;
end $$;
