-- The keys that sign JWTs. Only the private part is secret: it is encrypted with a key that is derived from SESSION_SECRET.

create table signing_keys (
  kid text primary key,
  -- the newest key before this one, '' for the first: of two instances that add a key at the same moment, one succeeds
  predecessor text not null constraint signing_keys_one_successor unique,
  public_jwk jsonb not null constraint signing_keys_publish_no_secret check (not public_jwk ?| '{d,p,q,dp,dq,qi,k}'),
  sealed_private_key bytea not null,
  published_at timestamptz not null default now(),
  signs_from timestamptz not null
);
