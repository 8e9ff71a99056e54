-- The public keys that clients publish at their jwks_uri, as they were fetched last: for all instances, and after a restart.

create table client_key_sets (
  client_id text primary key references clients on delete cascade,
  -- a client with another jwks_uri has no keys here
  uri text not null,
  -- null: no set was fetched yet
  keys jsonb constraint client_key_sets_size check (length(keys::text) <= 100000),
  fetched_at timestamptz,
  -- a pause follows each fetch, also one that failed
  next_try_at timestamptz not null,
  -- one instance is fetching them
  fetching_until timestamptz
);
