with
  ticket as (
    insert into
      used_tickets (ticket_sha256)
    values
      ($2)
    on conflict do nothing
    returning
      ticket_sha256
  )
select
  keep_client ($1, 'console')
from
  ticket
