-- A registration that is saved as it was keeps its version.
create or replace function renew_version() returns trigger language plpgsql as $$
begin
  if new is distinct from old then
    new.version := gen_random_uuid();
  end if;
  return new;
end $$;
