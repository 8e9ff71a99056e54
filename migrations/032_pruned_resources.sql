-- Resources and claims can be disabled, too, by a seed that no longer names them; groups of scopes are rows of seeds.

-- Then there are no tokens for it, as if it were not registered.
alter table resources add column disabled_at timestamptz;
-- Then applications do not get it.
alter table claims add column disabled_at timestamptz;

alter table seeded_rows drop constraint seeded_rows_kind_is_known;
alter table seeded_rows add constraint seeded_rows_kind_is_known
  check (kind in ('client', 'user', 'scope', 'group', 'resource', 'provider', 'claim'));
alter table seeded_rows add column scope_group text
  generated always as (case kind when 'group' then key end) stored references scope_groups on delete cascade;

create trigger scope_groups_note_seeding before insert or update or delete on scope_groups for each row
  when (current_setting('latchkey.seed', true) <> '') execute function note_seeding('group', 'name');

-- No row would be noted, so that a plan would not name what it takes away.
create function refuse_truncation() returns trigger language plpgsql as $$
begin
  raise exception 'a seed cannot truncate %: delete from it', tg_table_name;
end $$;
create trigger clients_are_deleted_by_row before truncate on clients
  when (current_setting('latchkey.seed', true) <> '') execute function refuse_truncation();
create trigger users_are_deleted_by_row before truncate on users
  when (current_setting('latchkey.seed', true) <> '') execute function refuse_truncation();
create trigger scopes_are_deleted_by_row before truncate on scopes
  when (current_setting('latchkey.seed', true) <> '') execute function refuse_truncation();
create trigger scope_groups_are_deleted_by_row before truncate on scope_groups
  when (current_setting('latchkey.seed', true) <> '') execute function refuse_truncation();
create trigger resources_are_deleted_by_row before truncate on resources
  when (current_setting('latchkey.seed', true) <> '') execute function refuse_truncation();
create trigger providers_are_deleted_by_row before truncate on providers
  when (current_setting('latchkey.seed', true) <> '') execute function refuse_truncation();
create trigger claims_are_deleted_by_row before truncate on claims
  when (current_setting('latchkey.seed', true) <> '') execute function refuse_truncation();
