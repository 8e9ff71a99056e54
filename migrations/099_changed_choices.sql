-- `many` can become false where somebody has chosen all. The earlier text took the length of `true`, which is no array: Postgres computes the
-- parts of a condition in any order.

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
      and (choices -> new.name = 'true' and not new.may_be_all or choices -> new.name -> 1 is not null and not new.many);
  end if;
  return null;
end $$;

-- Whoever decides on nothing new need not wait, and is not compared: of a scope with many grants, that was most of the time of a change.
create or replace function refuse_decisions_without_choice() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.decided <@ old.decided then
    return new;
  end if;
  -- a choice that is registered at this moment is known afterwards, or ends what is granted now
  perform pg_advisory_xact_lock_shared(hashtextextended('choices', 0));
  if exists (select from choices where disabled_at is null) then
    new.decided := array(
      select one
      from unnest(new.decided) one
      where position('#' in one) > 0
        or not exists (select from choices where disabled_at is null and split_part(one, '@', 1) = any (scopes)));
  end if;
  return new;
end $$;
