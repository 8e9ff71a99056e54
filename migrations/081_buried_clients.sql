-- A client that had registered itself, was used by somebody, and was then deleted because nobody used it any more. Its id is given to no
-- other client, and whoever comes back with the id is told what to do.
create table buried_clients (
  client_id text primary key,
  name text not null,
  buried_at timestamptz not null default now()
);
