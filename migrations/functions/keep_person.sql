-- Makes or updates the account of somebody who comes from elsewhere: of `subject` there, or a new one if that is null. An account
-- of another source is never opened nor changed. A username that names somebody else gets a suffix, and an address that somebody has
-- proved stays unverified here. `of_view` are the names and addresses of people of the operator's view, who may not have come yet.
create or replace function keep_person(
  source text,
  subject text,
  username text default null,
  name text default null,
  email text default null,
  email_verified boolean default false,
  of_view text[] default '{}'
) returns table (outcome text, user_id integer, is_new boolean) language plpgsql as $$
#variable_conflict use_variable
declare
  known users;
  id integer;
  chosen text;
  wanted constant text[] := array_remove(array[folded_name(username), case when email_verified then folded_name(email) end], null);
  is_free boolean;
  is_of_view boolean;
  is_proven boolean;
  -- what the source states comes again, so nobody changes it here (src/identity/kept-elsewhere.sql.ts); a view without an address states that there is none
  stated constant text[] := array_remove(array[
    case when name is not null then 'name' end, case when email is not null or source = 'view' then 'email' end], null);
begin
  if subject is not null then
    select u.* into known from users u where coalesce(u.subject, u.user_id::text) = keep_person.subject for no key update;
  end if;
  -- the number of a deleted person was that person, and nobody else becomes it
  if known.source <> source or exists (select from ended_numbers e where e.number = subject and e.is_of_row) then
    return query select 'of_another_source', null::integer, false;
    return;
  -- names follow the view also while a person is disabled: somebody else may have the former ones there
  elsif known.disabled_at is not null and (source <> 'view' or known.deleted_at is not null) then
    return query select 'disabled', null::integer, false;
    return;
  end if;
  if source = 'view' then
    -- whoever has left the view gives up what it now gives to somebody else
    update users u
    set username = case when folded_name(u.username) = any (wanted) then left(u.username, 195) || '-' || substr(md5(random()::text), 1, 4) else u.username end,
        email_verified = u.email_verified and folded_name(u.email) <> all (wanted)
    from sign_in_names n
    where n.name = any (wanted) and u.user_id = n.user_id and u.source = 'view' and u.gone_there and u.user_id is distinct from known.user_id;
  end if;
  of_view := array(select folded_name(n) from unnest(of_view) n);
  is_proven := email is not null and coalesce(email_verified, false)
    and (folded_name(email) <> all (of_view) or coalesce(known.email_verified and folded_name(known.email) = folded_name(email), false)) and not exists (
    select from sign_in_names n where n.name = folded_name(email) and n.user_id is distinct from known.user_id);
  -- an address that is not proven may be somebody else's, who must be able to get it
  chosen := coalesce((
    select left(btrim(given), 195)
    from unnest(array[username, case when is_proven then email end, subject]) with ordinality names (given, place)
    where check_username(given) is null
    order by place
    limit 1), source || '-' || substr(md5(random()::text), 1, 8));
  is_free := folded_name(chosen) <> all (of_view) and not exists (
    select from people_named(chosen, true) p
    -- people of the view sign in by the name that they have there
    where p.user_id is distinct from known.user_id and not (p.is_subject and source = 'view'));
  if known.user_id is not null then
    is_free := is_free and check_username(keep_person.username) is null;
    -- two people of the view may exchange names: the first one lets go of the former name, and gets the new one in the next round
    is_of_view := source = 'view' and not is_free and exists (
      select from people_named(chosen) p
      join users u on u.user_id = p.user_id
      where not p.is_subject and u.source = 'view' and u.user_id <> known.user_id);
    update users u
    set username = now_is.username, name = now_is.name, email = now_is.email, email_verified = now_is.email_verified,
        pending_email = now_is.pending_email, kept_there = stated
    from (select
        case
          when is_free then chosen
          when is_of_view and not starts_with(known.username, chosen || '-') then chosen || '-' || substr(md5(random()::text), 1, 4)
          else known.username end as username,
        coalesce(keep_person.name, known.name) as name,
        coalesce(keep_person.email, known.email) as email,
        case when keep_person.email is null then known.email_verified else is_proven end as email_verified,
        case when 'email' <> all (stated) then known.pending_email end as pending_email) now_is
    where u.user_id = known.user_id
      and (u.username, u.name, u.email, u.email_verified, u.pending_email, u.kept_there)
        is distinct from (now_is.username, now_is.name, now_is.email, now_is.email_verified, now_is.pending_email, stated);
    return query select case when known.disabled_at is null then 'kept' else 'disabled' end, known.user_id, false;
    return;
  end if;
  id := nextval(pg_get_serial_sequence('users', 'user_id'));
  insert into users (user_id, username, subject, source, name, email, email_verified, kept_there)
  overriding system value
  values (id, case when is_free then chosen else chosen || '-' || substr(md5(random()::text), 1, 4) end, coalesce(subject, gen_random_uuid()::text), source,
    name, email, is_proven, stated);
  return query select 'kept', id, true;
exception when unique_violation then
  -- another request has taken the subject, the name or the address at the same moment
  return query select * from keep_person(source, subject, username, name, email, email_verified, of_view);
end $$;
