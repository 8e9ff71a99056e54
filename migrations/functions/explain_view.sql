-- How the operator's view would be read by `username`, `email`, `subject` or `updated_at`, as EXPLAIN writes it.
create or replace function explain_view(by text) returns text language plpgsql volatile as $$
declare
  query constant text := case
    -- each half of the look-up by name by itself
    when by in ('username', 'email') then (regexp_split_to_array(view_query('name'), '\s+union\s+'))[case by when 'username' then 1 else 2 end]
    else view_query(by) end;
  line text;
  plan text := '';
begin
  for line in execute 'explain (costs off) ' || replace(query, '$1', case by
    when 'updated_at' then quote_literal(array[now()::text, '']) || '::text[]'
    else quote_literal(array(select gen_random_uuid()::text where query ~ 'uuid\[\]' union all select '1' where query !~ 'uuid\[\]')) || '::text[]' end)
  loop
    plan := plan || line || E'\n';
  end loop;
  return plan;
end $$;
