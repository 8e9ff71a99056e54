-- Rows of the operator's view; none if there is no view. `keys` are names or subjects; of `updated_at`, stamp and subject of the row before.
create or replace function find_in_view(by text, keys text[])
returns table (subject text, username text, email text, email_verified boolean, name text, password_hash text, disabled boolean, stamp text)
language plpgsql stable as $$
declare
  query constant text := view_query(by);
begin
  if query is not null then
    return query execute query using case by when 'subject' then subjects_of_view(keys) else keys end;
  end if;
end $$;
