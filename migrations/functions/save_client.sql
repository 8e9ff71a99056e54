-- What change_client does, which the previous release calls by itself. Whether the registration is another one than before; null if there
-- is no such client.
create or replace function save_client(
  client_id text,
  changes jsonb,
  by_admin boolean,
  secret_sha256 bytea default null
) returns boolean language plpgsql as $$
#variable_conflict use_variable
declare
  version_before uuid;
begin
  select c.version into version_before from clients c where c.client_id = save_client.client_id and c.deleted_at is null for update;
  perform change_client(client_id, changes, by_admin, secret_sha256);
  return (select c.version <> version_before from clients c where c.client_id = save_client.client_id);
end $$;
