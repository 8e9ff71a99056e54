-- Whoever disables a person ends the links in their mails, too: enabled again, the person asks for new ones.
create or replace function end_sessions_of_disabled() returns trigger language plpgsql as $$
begin
  new.sessions_ended_at := clock_timestamp();
  delete from sessions
  where user_id = new.user_id;
  delete from mailed_links
  where user_id = new.user_id;
  return new;
end $$;

-- those of people who are disabled by now
delete from mailed_links
using users
where users.user_id = mailed_links.user_id
  and users.disabled_at is not null;
