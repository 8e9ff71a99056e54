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
      $3
    from
      decided
    on conflict do nothing
  )
select
  ticket_sha256
from
  decided
