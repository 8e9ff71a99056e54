-- Everybody whom a text names: at most one person who signs in by it, and one whose subject it is.
create or replace function people_named(named text) returns table (user_id integer, is_subject boolean) language sql stable as $$
  select found.user_id, false
  from (
    select coalesce(
      -- accounts of before names were folded may differ in case only
      (select u.user_id from users u where u.username = named),
      (select u.user_id
       from sign_in_names known
       join users u on u.user_id = known.user_id
       where known.name = folded_name(named) and known.name = any (names_of_user(u)))) as user_id) found
  where found.user_id is not null
  union all
  select u.user_id, true
  from users u
  where coalesce(u.subject, u.user_id::text) = named and u.deleted_at is null
$$;
