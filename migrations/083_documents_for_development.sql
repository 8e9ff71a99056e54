-- Each statement by itself.
-- The only person who may let the client in: its metadata document is one for local development, which this server keeps for that person.
-- Null: everybody may.
alter table clients add column if not exists only_for integer references users on delete cascade;

drop index concurrently if exists clients_by_only_person;
create index concurrently clients_by_only_person on clients (only_for) where only_for is not null;

-- A previous release on this schema does not know the rule.
create or replace function refuse_grant_to_others() returns trigger language plpgsql as $$ begin
  if exists (select from clients where client_id = new.client_id and only_for <> new.user_id)
  then raise exception 'the client % is for another person', new.client_id; end if; return new; end
$$;
create or replace trigger grants_only_for before insert on grants for each row execute function refuse_grant_to_others();
