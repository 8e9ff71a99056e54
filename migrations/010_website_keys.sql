-- The keys of the provider's own website, by which its answers are verified: kept here for all instances, and while it is away.
create table website_key_sets (
  uri text primary key,
  -- null: never fetched
  keys jsonb,
  fetched_at timestamptz,
  next_try_at timestamptz not null
);
