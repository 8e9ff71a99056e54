-- The members of scopes and groups, in the order of the catalogue. Unknown names are ignored.
create or replace function expand_scopes(names text[]) returns text[] language sql stable as $$
  select array(select s.name from scopes s where s.name = any (names) or s.group_name = any (names) order by s.position)
$$;
