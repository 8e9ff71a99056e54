-- Forms that make something which is shown once: pressed twice, they make it once.
create table used_tickets (
  ticket_sha256 bytea primary key,
  used_at timestamptz not null default now()
);
