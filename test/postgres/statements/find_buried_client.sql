select
  name
from
  buried_clients
where
  client_id = $1
  and not exists (
    select
    from
      clients
    where
      clients.client_id = buried_clients.client_id
  )
