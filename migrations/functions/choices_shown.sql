-- The choices in force that belong to one of the scopes of a token.
create or replace function choices_shown(in_force jsonb, given jsonb, scopes text[]) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_object_agg(key, value)
  from jsonb_each(in_force)
  where given -> key -> 'scopes' ?| scopes
$$;
