-- Tickets of forms that create something once, even if they are sent twice.
create table used_tickets (
  ticket_sha256 bytea primary key,
  used_at timestamptz not null default now()
);
