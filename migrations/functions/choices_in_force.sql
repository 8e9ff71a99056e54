-- What a token may show of what its person has chosen, by choice: what its family was given (`given`), what the grant has now, and what
-- the token itself was narrowed to. Choices of which nothing is left, and those that are no longer registered, are missing. So are all, and
-- several values, where people can no longer choose that: an instance that did not know it yet may have stored them.
create or replace function choices_in_force(given jsonb, granted jsonb, narrowed jsonb) returns jsonb
language sql stable parallel safe as $$
  select coalesce(jsonb_object_agg(name, values), '{}')
  from choices, agreed_values(given -> name -> 'values', granted -> name, narrowed -> name) values
  where disabled_at is null
    and given ? name
    and values <> '[]'
    and (values <> 'true' or may_be_all)
    and (many or granted -> name -> 1 is null)
$$;
