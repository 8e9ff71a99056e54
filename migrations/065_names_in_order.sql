-- Names are taken in one order: of two people who claim each other's at the same moment, the second waits for the first, and none for both.
create or replace function keep_sign_in_names() returns trigger language plpgsql as $$
declare
  earlier text[] := '{}';
  wanted text;
  owner users;
begin
  if tg_op = 'UPDATE' then
    earlier := names_of_user(old);
    delete from sign_in_names where user_id = new.user_id and name <> all (names_of_user(new));
  end if;
  for wanted in select name from unnest(names_of_user(new)) name order by name loop
    insert into sign_in_names (name, user_id) values (wanted, new.user_id) on conflict do nothing;
    continue when found or wanted = any (earlier);
    select users.* into owner from sign_in_names known join users using (user_id) where known.name = wanted;
    if not found then
      -- given up since
      insert into sign_in_names (name, user_id) values (wanted, new.user_id);
    elsif wanted <> all (names_of_user(owner)) then
      -- left behind by a change while the table was filled, or by one of the same statement
      update sign_in_names set user_id = new.user_id where name = wanted;
    elsif owner.user_id <> new.user_id then
      raise exception using
        errcode = 'unique_violation',
        constraint = 'sign_in_names_pkey',
        message = format('the user %L cannot sign in as %L, because that is the %s of the user %L', new.username,
          case when folded_name(new.username) = wanted then new.username else new.email end,
          case when folded_name(owner.username) = wanted then 'name' else 'address' end, owner.username);
    end if;
  end loop;
  return null;
end $$;
