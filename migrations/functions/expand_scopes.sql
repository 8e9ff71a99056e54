-- The members of scopes and groups, in catalogue order; an unknown name is an error that names it.
create or replace function expand_scopes(names text[], who text) returns text[] language plpgsql stable as $$
declare
  unknown text := (select n from unnest(names) n
                   where not exists (select from scopes s where n in (s.name, s.group_name)) limit 1);
begin
  if unknown is not null then
    raise exception '%: there is no scope %', who, quote_literal(unknown)
      using errcode = 'check_violation', hint = 'The table "scopes" lists all of them.';
  end if;
  return array(select s.name from scopes s where s.name = any(names) or s.group_name = any(names) order by s.position);
end $$;
