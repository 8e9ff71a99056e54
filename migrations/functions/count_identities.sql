-- How many identities a person has at this moment. Volatile: it sees what was committed since the statement began, so a statement that has
-- locked the row of the person and then counts, counts right.
create or replace function count_identities(person integer) returns bigint language sql volatile as $$
  select count(*) from identities where identities.user_id = person;
$$;
