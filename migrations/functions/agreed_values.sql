-- What is in all of these lists of values; true stands for all values, null for none.
create or replace function agreed_values(variadic lists jsonb[]) returns jsonb language sql immutable parallel safe as $$
  select case
    when array_position(lists, null) is not null then '[]'
    when 'true' = all (lists) then 'true'
    else (
      select coalesce(jsonb_agg(value order by value #>> '{}' collate "C"), '[]')
      from jsonb_array_elements((select one from unnest(lists) one where one <> 'true' limit 1)) value
      where not exists (select from unnest(lists) one where one <> 'true' and not one @> value)) end
$$;
