with
  ticket as (
    insert into
      used_tickets (ticket_sha256)
    values
      ($5)
    on conflict do nothing
    returning
      ticket_sha256
  )
select
from
  change_client (
    $1,
    $2,
    by_admin => $3,
    secret_sha256 => (
      select
        $4::bytea
      from
        ticket
    )
  ) client_id
where
  client_id is not null
