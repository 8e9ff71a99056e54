select
  client_id,
  name
from
  clients
where
  only_for = $1
  and deleted_at is null
order by
  created_at,
  client_id
