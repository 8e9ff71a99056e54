insert into
  consent_decisions (ticket_sha256)
values
  ($1)
on conflict do nothing
returning
  ticket_sha256
