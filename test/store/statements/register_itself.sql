with
  registered as (
    select
      keep_client (without_foreign_links ($1), 'application') as client_id
  )
insert into
  self_registrations (client_id, token_sha256)
select
  client_id,
  $2
from
  registered
returning
  client_id
