select
  outcome,
  user_id,
  is_new
from
  enter_by_identity ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
