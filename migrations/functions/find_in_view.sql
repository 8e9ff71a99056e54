-- Rows of the operator's view; none if there is no view. `keys` are names or subjects; of `updated_at`, stamp and subject of the row before.
create or replace function find_in_view(by text, keys text[])
returns table (subject text, username text, email text, email_verified boolean, name text, password_hash text, disabled boolean, stamp text)
language plpgsql stable as $$
declare
  query constant text := view_query(by);
begin
  if by = 'subject' and query like '%bigint[]%' then
    keys := array(select key from unnest(keys) key where key ~ '^-?\d{1,18}$');
  elsif by = 'subject' and query like '%uuid[]%' then
    keys := array(select key from unnest(keys) key where key ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$');
  end if;
  if query is not null then
    return query execute query using keys;
  end if;
end $$;
