-- The subject of a new user of whom none is known: null, since the number serves as one, or a random one if the operator has given
-- the number to somebody else as a subject, who may be deleted since.
create or replace function subject_of_number(id integer) returns text language sql volatile as $$
  select gen_random_uuid()::text
  where exists (select from users where coalesce(users.subject, users.user_id::text) = id::text)
    or exists (select from ended_numbers where ended_numbers.number = id::text)
$$;
