-- What another program says by a flag, in any usual spelling; null for anything else. src/lib/flag.ts has the same.
create or replace function read_flag(word text) returns boolean language sql immutable as $$
  select case
    when lower(btrim(word, E' \t\r\n')) in ('true', 't', '1', 'yes', 'y', 'on') then true
    when lower(btrim(word, E' \t\r\n')) in ('false', 'f', '0', 'no', 'n', 'off') then false end
$$;
