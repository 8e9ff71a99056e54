-- A release before 1.1.0 on this schema registers clients without noting how they came, and a rule depends on that (080): the schema notes it.
create function note_self_registration() returns trigger language plpgsql as $$
begin
  update clients
  set origin = 'application'
  where client_id = new.client_id
    and origin is null;
  return null;
end $$;
create trigger self_registrations_note_origin after insert on self_registrations for each row
  execute function note_self_registration();

update clients
set origin = 'application'
from self_registrations
where self_registrations.client_id = clients.client_id
  and origin is null;
