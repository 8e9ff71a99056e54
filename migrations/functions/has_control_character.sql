-- Control characters of ASCII and Latin-1, which no name may contain.
create or replace function has_control_character(value text) returns boolean language sql immutable as $$
  select value ~ '[\u0001-\u001f\u007f-\u009f]'
$$;
