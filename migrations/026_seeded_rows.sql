-- What seeds have registered: a later run says what was changed since, and disables what its file no longer names.

-- A row that a seed has registered, or taken over from others. The seed is known by the name of its file.
create table seeded_rows (
  kind text not null constraint seeded_rows_kind_is_known
    check (kind in ('client', 'user', 'scope', 'resource', 'provider', 'claim')),
  -- the primary key of the row as text
  key text not null,
  seed text not null,
  -- as the last run left it, without secrets (declared_values)
  state jsonb not null,
  -- then a run that names it again enables it, unless an operator has disabled it at another time
  pruned_at timestamptz,
  client_id text generated always as (case kind when 'client' then key end) stored references clients on delete cascade,
  user_id integer generated always as (case kind when 'user' then key::integer end) stored references users on delete cascade,
  scope text generated always as (case kind when 'scope' then key end) stored references scopes on delete cascade,
  resource text generated always as (case kind when 'resource' then key end) stored references resources on delete cascade,
  provider text generated always as (case kind when 'provider' then key end) stored references providers on delete cascade,
  claim text generated always as (case kind when 'claim' then key end) stored references claims on delete cascade,
  primary key (kind, key)
);
create index seeded_rows_by_seed on seeded_rows (seed, kind, key);
-- for the deletion of what they are about
create index seeded_rows_by_client on seeded_rows (client_id) where client_id is not null;
create index seeded_rows_by_user on seeded_rows (user_id) where user_id is not null;

-- Notes in the temporary table `seeding` of a run (src/postgres/seeds.ts) what the file touches, each row as it was before. A file
-- names a row by inserting it, also where an `on conflict` then updates it or does nothing; register_user notes the others.
create function note_seeding() returns trigger language plpgsql as $$
declare
  kind constant text := tg_argv[0];
  key_column constant text := tg_argv[1];
begin
  if tg_op = 'INSERT' then
    execute format(
      'insert into pg_temp.seeding (kind, key, earlier, is_named)
       select $1, ($2).%1$I::text, (select to_jsonb(earlier) from %2$I earlier where earlier.%1$I = ($2).%1$I), true
       on conflict (kind, key) do update
       set is_named = true', key_column, tg_table_name)
    using kind, new;
    return new;
  end if;
  insert into pg_temp.seeding (kind, key, earlier, is_named)
  values (kind, to_jsonb(old) ->> key_column, to_jsonb(old), false)
  on conflict do nothing;
  if tg_op = 'DELETE' then
    return old;
  end if;
  return new;
end $$;
create trigger clients_note_seeding before insert or update or delete on clients for each row
  when (current_setting('latchkey.seed', true) <> '') execute function note_seeding('client', 'client_id');
create trigger users_note_seeding before insert or update or delete on users for each row
  when (current_setting('latchkey.seed', true) <> '') execute function note_seeding('user', 'user_id');
create trigger scopes_note_seeding before insert or update or delete on scopes for each row
  when (current_setting('latchkey.seed', true) <> '') execute function note_seeding('scope', 'name');
create trigger resources_note_seeding before insert or update or delete on resources for each row
  when (current_setting('latchkey.seed', true) <> '') execute function note_seeding('resource', 'resource');
create trigger providers_note_seeding before insert or update or delete on providers for each row
  when (current_setting('latchkey.seed', true) <> '') execute function note_seeding('provider', 'name');
create trigger claims_note_seeding before insert or update or delete on claims for each row
  when (current_setting('latchkey.seed', true) <> '') execute function note_seeding('claim', 'name');

-- By which way a client came: the command line, the console, the client itself or its metadata document. Set by the statements of each way,
-- never by what somebody states. Null: by SQL, in a seed for instance, or before this column was there.
alter table clients add column origin text
  constraint clients_origin check (origin in ('command', 'console', 'application', 'document'));
