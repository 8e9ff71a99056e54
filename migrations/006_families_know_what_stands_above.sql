-- A family is asked for at every exchange, refresh and resource request; the grant and the person above it change a few
-- times in a lifetime. So the family's row is told of these changes, instead of asking for them each time: two joins
-- less, which are two random pages of large tables. Triggers, so that no statement can forget it, not even one typed by
-- an operator, nor one of an older version that runs beside this one.

-- In the order in which the statements of an older process open these tables: in another one, the migration and a request
-- would each wait for the other. People can sign in meanwhile, but not be changed.
lock table authorization_codes in access exclusive mode;
lock table grants in access exclusive mode;
lock table users in share row exclusive mode;

alter table grants
  add column user_disabled_at timestamptz;

alter table authorization_codes
  add column user_id integer,
  add column granted_scopes text[],
  add column for_once boolean,
  -- infinity when the grant has no end, -infinity once it is revoked or the person disabled
  add column grant_ends_at timestamptz,
  -- here too, so that a resource request need not read the grant to learn that it need not be noted again
  add column last_used_at timestamptz;

create function grant_ends_at(given grants) returns timestamptz language sql stable as $$
  select case
    when given.revoked_at is not null or given.user_disabled_at is not null then '-infinity'
    else coalesce(given.expires_at, 'infinity') end
$$;

-- Both `for share` below: a change above that is under way is waited for, and one that begins later waits for the new row
-- and finds it, because the statement in its trigger looks again. Everything here locks from above: person, grant, family.

create function know_person() returns trigger language plpgsql as $$
begin
  select disabled_at
  into new.user_disabled_at
  from users
  where user_id = new.user_id
  for share;
  return new;
end $$;
create trigger grants_know_person before insert on grants for each row execute function know_person();

create function know_grant() returns trigger language plpgsql as $$
begin
  select grants.user_id, grants.scopes, grants.duration = 'once', grant_ends_at(grants)
  into new.user_id, new.granted_scopes, new.for_once, new.grant_ends_at
  from grants
  where grant_id = new.grant_id
  for share;
  return new;
end $$;
create trigger authorization_codes_know_grant before insert on authorization_codes
  for each row execute function know_grant();

create function tell_grants() returns trigger language plpgsql as $$
begin
  update grants
  set user_disabled_at = new.disabled_at
  where user_id = new.user_id;
  return null;
end $$;
create trigger users_tell_grants after update of disabled_at on users
  for each row when (old.disabled_at is distinct from new.disabled_at) execute function tell_grants();

create function tell_families() returns trigger language plpgsql as $$
begin
  -- a family that was revoked itself never comes back
  update authorization_codes
  set granted_scopes = new.scopes,
      for_once = new.duration = 'once',
      grant_ends_at = grant_ends_at(new)
  where grant_id = new.grant_id
    and revoked_at is null;
  return null;
end $$;
create trigger grants_tell_families after update of scopes, duration, expires_at, revoked_at, user_disabled_at on grants
  for each row when ((old.scopes, old.duration, old.expires_at, old.revoked_at, old.user_disabled_at)
    is distinct from (new.scopes, new.duration, new.expires_at, new.revoked_at, new.user_disabled_at))
  execute function tell_families();

-- what is there already; the locks above keep changes out until this is over
update grants
set user_disabled_at = users.disabled_at
from users
where users.user_id = grants.user_id
  and users.disabled_at is not null;

update authorization_codes code
set user_id = grants.user_id,
    granted_scopes = grants.scopes,
    for_once = grants.duration = 'once',
    grant_ends_at = grant_ends_at(grants)
from grants
where grants.grant_id = code.grant_id;

alter table authorization_codes
  alter column user_id set not null,
  alter column granted_scopes set not null,
  alter column for_once set not null,
  alter column grant_ends_at set not null;
