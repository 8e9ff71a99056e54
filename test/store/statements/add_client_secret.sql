with
  ticket as (
    insert into
      used_tickets (ticket_sha256)
    values
      ($3)
    on conflict do nothing
    returning
      ticket_sha256
  )
update clients
set
  secrets_sha256 = $2::bytea || secrets_sha256,
  secrets_since = now() || secrets_since
from
  ticket
where
  client_id = $1
  and cardinality(secrets_sha256) = 1
returning
  client_id
