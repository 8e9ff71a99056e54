select
from
  own_decisions
where
  user_id = $1
  and client_id = $2
