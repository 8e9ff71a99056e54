-- The logo of a client that nobody here registered and an administrator vouches for, as this server has fetched it.
create table client_logos (
  client_id text primary key references clients on delete cascade,
  -- where it was fetched: a client with another logo_uri has no logo here
  uri text not null,
  -- as it was fetched first, and never again while the client has this logo_uri; null: no fetch has brought an image yet
  image bytea constraint client_logos_size check (length(image) <= 65536),
  -- by it the image is addressed
  digest bytea generated always as (sha256(image)) stored,
  -- until then no other instance fetches it; without an image it is fetched again afterwards
  next_try_at timestamptz not null
);
create index client_logos_by_digest on client_logos (digest);
