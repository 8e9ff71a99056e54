-- A choice that is registered again as it is, as at each start with a seed, holds up nobody who decides meanwhile.

create or replace function ask_for_changed_choice() returns trigger language plpgsql as $$
declare
  before constant text[] := case when tg_op <> 'INSERT' and old.disabled_at is null then old.scopes else '{}' end;
  after constant text[] := case when tg_op <> 'DELETE' and new.disabled_at is null then new.scopes else '{}' end;
  renamed constant boolean := tg_op = 'UPDATE' and new.name <> old.name;
begin
  if tg_op = 'UPDATE' and not renamed and before = after and old.may_be_all = new.may_be_all and old.many = new.many then
    return null;
  end if;
  perform lock_choices();
  perform ask_again(scope)
  from (select distinct unnest(before || after)) either (scope)
  where renamed or not (scope = any (before) and scope = any (after));
  if tg_op = 'UPDATE' and (old.may_be_all and not new.may_be_all or old.many and not new.many) then
    update grants
    set choices = choices - new.name, changed_at = now()
    where choices ? new.name
      and revoked_at is null
      and (choices -> new.name = 'true' and not new.may_be_all or jsonb_typeof(choices -> new.name) = 'array' and jsonb_array_length(choices -> new.name) > 1 and not new.many);
  end if;
  return null;
end $$;
