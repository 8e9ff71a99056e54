-- Whose session this is, for the event of what an administrator does at a page: an error if the session or the rights have ended, so that
-- nothing is done. Volatile: it sees what was committed since the statement began, also by whoever held the lock that it waited for. It locks
-- the session, which an end deletes, and not the person: two administrators who change other accounts would wait for each other.
create or replace function acting_administrator(session bytea) returns integer language plpgsql strict as $$
declare
  administrator integer;
begin
  perform from sessions where sid_sha256 = session for key share;
  select users.user_id into administrator
  from sessions
  join users on users.user_id = sessions.user_id
  where sessions.sid_sha256 = session
    and coalesce(sessions.begun_after = coalesce(users.sessions_ended_at, '-infinity'), true)
    and users.is_admin
    and users.disabled_at is null;
  if not found then
    raise exception 'the administrator is none any more, or signed out' using errcode = 'LK001';
  end if;
  return administrator;
end $$;
