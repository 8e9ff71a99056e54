-- What the instances of this server share.

-- A value that this server keeps for itself, such as a secret that nobody has configured.
create table settings (
  name text primary key,
  value text not null
);

-- A key that signs JWTs. Only the private part is secret: it is encrypted with a key that is derived from SESSION_SECRET.
create table signing_keys (
  kid text primary key,
  -- the newest key before this one, '' for the first: of two instances that add a key at the same moment, one succeeds
  predecessor text not null constraint signing_keys_one_successor unique,
  public_jwk jsonb not null constraint signing_keys_publish_no_secret check (not public_jwk ?| '{d,p,q,dp,dq,qi,k}'),
  sealed_private_key bytea not null,
  published_at timestamptz not null default now(),
  signs_from timestamptz not null
);

-- What was seen of the clock of this database, in one row: sweeps delete nothing while it has just jumped, or a clock that is once
-- ahead would make everything look old. The clock is trusted to begin with.
create table database_clock (
  -- null: nobody has looked yet
  looked_at timestamptz,
  -- since then every look found the time that it expected
  steady_since timestamptz not null default '-infinity'
);
insert into database_clock default values;
