-- Why a hash cannot be registered: rule and sentence. Null: it can.
create or replace function check_password_hash(hash text) returns text[] language sql immutable as $$
  select case
    when hash is null or hash ~ '^\$2[aby]\$(0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$' then null
    else array['malformed', 'the hash is of no kind that this server can check'] end
$$;
