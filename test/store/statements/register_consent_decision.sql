with
  decided as (
    insert into
      consent_decisions (ticket_sha256)
    values
      ($1)
    on conflict do nothing
    returning
      ticket_sha256
  ),
  own_decision as (
    insert into
      own_decisions (user_id, client_id)
    select
      $2,
      clients.client_id
    from
      decided
      join clients on clients.client_id = $3
    where
      clients.consent = 'none'
    on conflict do nothing
  )
select
  ticket_sha256
from
  decided
