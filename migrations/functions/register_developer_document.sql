-- Registers the metadata document of a person for local development; null if the person has twenty, or if the form was sent before.
create or replace function register_developer_document(person integer, stated jsonb) returns text language plpgsql as $$
begin
  -- the next of several forms at once counts what this one has registered
  perform from users u where u.user_id = person and u.disabled_at is null for no key update;
  if not found
    or (select count(*) from clients c where c.only_for = person and c.deleted_at is null) >= 20
    or exists (select from clients c where c.client_id = stated ->> 'client_id') then
    return null;
  end if;
  return keep_client(stated || jsonb_build_object('only_for', person), 'document');
end $$;
