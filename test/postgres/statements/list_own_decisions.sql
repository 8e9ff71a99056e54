select
  clients.client_id,
  clients.name
from
  own_decisions
  join clients on clients.client_id = own_decisions.client_id
where
  own_decisions.user_id = $1
  and own_decisions.client_id > coalesce($2, '')
order by
  own_decisions.client_id
limit
  $3
