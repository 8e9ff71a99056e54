-- The scopes that are in all three lists, in the order of the first.
create or replace function common_scopes(one text[], two text[], three text[]) returns text[]
language sql immutable parallel safe as $$
  select array(select scope from unnest(one) scope where scope = any (two) and scope = any (three))
$$;
