-- Which state of a client verified a request. Every change of the client gives it another version, except the note that it was used, which
-- is written while requests of the client are under way.
alter table clients add column version uuid not null default '00000000-0000-0000-0000-000000000000';
alter table clients alter column version set default gen_random_uuid();

create function renew_version() returns trigger language plpgsql as $$
begin
  new.version := gen_random_uuid();
  return new;
end $$;
create trigger clients_renew_version before update on clients for each row
  when (old.last_used_at is not distinct from new.last_used_at) execute function renew_version();
