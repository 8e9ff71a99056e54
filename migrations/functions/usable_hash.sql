-- A hash as it is stored; null: there is none, or none that this server can check.
create or replace function usable_hash(hash text) returns text language sql immutable as $$
  select case when hash <> '' and check_password_hash(hash) is null then regexp_replace(hash, '^\$2y', '$2b') end
$$;
