select
  outcome,
  user_id,
  is_new
from
  keep_person ($1, $2, $3, $4, $5, $6, $7)
