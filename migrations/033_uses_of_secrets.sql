-- When each client secret was used last, so that its developer can see which one may go. A table of its own, since the previous release
-- changes the array of secrets without knowing about it.
create table client_secret_uses (
  client_id text not null references clients on delete cascade,
  secret_sha256 bytea not null,
  last_used_at timestamptz not null,
  constraint client_secret_uses_pkey primary key (client_id, secret_sha256)
) with (fillfactor = 70);
