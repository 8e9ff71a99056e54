-- After a backup was restored: ends what it has brought back to life, and what was issued after it. Returns the time from which
-- client assertions must be.
create or replace function revoke_all() returns timestamptz language plpgsql as $$
declare
  -- a JWT may be dated half a minute ahead
  not_before timestamptz := now() + interval '30 seconds';
begin
  -- codes and tokens end with their grant
  update grants
  set revoked_at = now()
  where revoked_at is null;
  delete from sessions;
  update users
  set sessions_ended_at = clock_timestamp()
  where deleted_at is null;
  delete from pushed_requests;
  -- one that was used since would work once more
  delete from mailed_links;
  delete from sign_up_links;
  update invitations
  set expires_at = least(expires_at, now());
  update clients
  set assertions_not_before = not_before;
  -- as other commands do, with a request id that no request has
  insert into audit_events (event, request_id)
  values ('everything_revoked', 'command-' || left(replace(gen_random_uuid()::text, '-', ''), 12));
  -- the numbers of users who were lost must not be given to others
  perform setval(pg_get_serial_sequence('users', 'user_id'),
    nextval(pg_get_serial_sequence('users', 'user_id')) + 1000000);
  return not_before;
end $$;
