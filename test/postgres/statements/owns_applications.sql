select
  client_id
from
  clients
where
  owner_id = $1
limit
  1
