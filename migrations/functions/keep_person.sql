-- Makes or updates the account of somebody who comes from elsewhere: of `subject` there, or a new one if that is null. An account
-- of another source is never opened nor changed. A username that somebody has gets a suffix, and an address that somebody has
-- proved stays unverified here.
create or replace function keep_person(
  source text,
  subject text,
  username text default null,
  name text default null,
  email text default null,
  email_verified boolean default false
) returns table (outcome text, user_id integer, is_new boolean) language plpgsql as $$
#variable_conflict use_variable
declare
  known users;
  id integer;
  chosen text := left(btrim(coalesce(username, email, subject, name)), 195);
  is_free boolean;
  is_proven boolean;
begin
  if subject is not null then
    select u.* into known from users u where coalesce(u.subject, u.user_id::text) = keep_person.subject for no key update;
  end if;
  if known.user_id is not null and known.source <> source then
    return query select 'of_another_source', null::integer, false;
    return;
  elsif known.disabled_at is not null then
    return query select 'disabled', null::integer, false;
    return;
  end if;
  select not exists (
    select from sign_in_names n where n.name = folded_name(chosen) and n.user_id is distinct from known.user_id
    union all
    -- of before names were folded
    select from users u where u.username = chosen and u.user_id is distinct from known.user_id)
    into is_free;
  is_proven := email is not null and coalesce(email_verified, false) and not exists (
    select from sign_in_names n where n.name = folded_name(email) and n.user_id is distinct from known.user_id);
  if known.user_id is not null then
    update users u
    set username = case when is_free and keep_person.username is not null then chosen else u.username end,
        name = coalesce(keep_person.name, u.name),
        email = coalesce(keep_person.email, u.email),
        email_verified = case when keep_person.email is null then u.email_verified else is_proven end
    where u.user_id = known.user_id;
    return query select 'kept', known.user_id, false;
    return;
  end if;
  id := nextval(pg_get_serial_sequence('users', 'user_id'));
  insert into users (user_id, username, subject, source, name, email, email_verified)
  overriding system value
  values (id, case when is_free then chosen else chosen || '-' || substr(md5(random()::text), 1, 4) end, coalesce(subject, subject_of_number(id)), source,
    name, email, is_proven);
  return query select 'kept', id, true;
exception when unique_violation then
  -- another request has taken the subject, the name or the address at the same moment
  return query select * from keep_person(source, subject, username, name, email, email_verified);
end $$;
