-- Which of their things people show an application: a choice on the consent page, which belongs to scopes.

create table choices (
  name text primary key,
  -- a scope belongs to one choice at most (register_choice)
  scopes text[] not null,
  sentence text not null,
  sentences jsonb not null default '{}',
  -- several can be chosen; otherwise one
  many boolean not null,
  -- "all, also later ones" can be chosen
  may_be_all boolean not null,
  -- with $1 for the subject; define_choice makes functions of it
  query text not null,
  disabled_at timestamptz
);

-- What the person has chosen, by choice: {"organizations": ["12", "13"]}, or {"organizations": true} for all. Null: nothing is recorded.
alter table grants add column choices jsonb;
-- What the family was given, with the scopes for which that was: {"organizations": {"scopes": ["org:read"], "values": ["12"]}}.
alter table authorization_codes add column choices jsonb;
-- What the token was issued for, as in grants; its family may have more.
alter table access_tokens add column choices jsonb;

alter table seeded_rows drop constraint seeded_rows_kind_is_known;
alter table seeded_rows add constraint seeded_rows_kind_is_known
  check (kind in ('client', 'user', 'scope', 'group', 'resource', 'provider', 'claim', 'choice'));
alter table seeded_rows add column choice text
  generated always as (case kind when 'choice' then key end) stored references choices on delete cascade;
create trigger choices_note_seeding before insert or update or delete on choices for each row
  when (current_setting('latchkey.seed', true) <> '') execute function note_seeding('choice', 'name');
create trigger choices_are_deleted_by_row before truncate on choices
  when (current_setting('latchkey.seed', true) <> '') execute function refuse_truncation();

-- A scope that gets a choice, loses it or gets another one means something else: people are asked again. So are those who chose all, or
-- several, where that is no longer possible. An application could use until then what nobody has chosen.
create function ask_for_changed_choice() returns trigger language plpgsql as $$
declare
  before constant text[] := case when tg_op <> 'INSERT' and old.disabled_at is null then old.scopes else '{}' end;
  after constant text[] := case when tg_op <> 'DELETE' and new.disabled_at is null then new.scopes else '{}' end;
  renamed constant boolean := tg_op = 'UPDATE' and new.name <> old.name;
begin
  perform pg_advisory_xact_lock(hashtextextended('choices', 0));
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
create trigger choices_ask_again after insert or update or delete on choices for each row execute function ask_for_changed_choice();

-- A grant counts as decided on a scope with a choice only where the person was shown the choice: then `decided` has 'org:read#organizations'.
-- The previous release, and an instance that does not know a new choice yet, record 'org:read', which is taken out, so that it gives nothing.
create function refuse_decisions_without_choice() returns trigger language plpgsql as $$
begin
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
create trigger grants_decide_with_choice before insert or update of scopes, decided on grants for each row execute function refuse_decisions_without_choice();
