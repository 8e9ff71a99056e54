-- Whoever disables a person, by a page, a command, an import, the view, a seed or SQL of the operator, ends their sessions: enabled
-- again, the person signs in anew. Deleting a person has a statement of its own.
create function end_sessions_of_disabled() returns trigger language plpgsql as $$
begin
  new.sessions_ended_at := clock_timestamp();
  delete from sessions
  where user_id = new.user_id;
  return new;
end $$;

create trigger disabling_ends_sessions before update of disabled_at on users
  for each row when (old.disabled_at is null and new.disabled_at is not null and new.deleted_at is null)
  execute function end_sessions_of_disabled();
