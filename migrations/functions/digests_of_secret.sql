-- The digests of one secret or two, as an export has them; null if the text is something else.
create or replace function digests_of_secret(secret text) returns bytea[] language sql immutable as $$
  select case when secret ~ '^sha256:[0-9a-fA-F]{64}( sha256:[0-9a-fA-F]{64})?$'
    then array(select decode(substr(part, 8), 'hex') from unnest(string_to_array(secret, ' ')) part) end
$$;
