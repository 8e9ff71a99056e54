-- The bytes that a text in base64url stands for [7515 §2]; null for any other text, and for a longer one than a key needs.
create or replace function bytes_of_text(value text) returns bytea language sql immutable as $$
  select case when length(value) <= 690 and length(value) % 4 <> 1 and value ~ '^[A-Za-z0-9_-]+$'
    then decode(translate(value, '-_', '+/') || repeat('=', (4 - length(value) % 4) % 4), 'base64') end
$$;
