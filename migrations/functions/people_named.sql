-- Everybody whom a text names: at most one person who signs in by it, and one whose subject it is. `in_any_spelling`: or would be in capital
-- letters, for instance, since two people are hardly told apart by these.
create or replace function people_named(named text, in_any_spelling boolean default false) returns table (user_id integer, is_subject boolean) language sql stable as $$
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
  union
  select u.user_id, true
  from users u
  where in_any_spelling and folded_name(coalesce(u.subject, u.user_id::text)) = folded_name(named) and u.deleted_at is null
$$;
